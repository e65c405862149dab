import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { ModelPurpose } from "../../points/turn/model-protocol.ts";
import type { Write } from "../storage/database.ts";

/** Rule that chose a model. */
export type ModelSource = "session" | "active" | "first_enabled" | "ai_config" | "environment" | "offline";

/** A configured model; `ModelCalls` calls it. */
export interface ChosenModel {
  /** Id of the model's record; "" for models without one: AI configuration, environment, offline. */
  readonly modelId: string;
  readonly label: string;
  /** The provider's name of the model. */
  readonly model: string;
  readonly protocol: string;
  readonly source: ModelSource;
  /** Identity of its vectors; changes with record, protocol, address, name or length. Does not reveal the address. */
  readonly identity: string;
  /** Default voice and speed of a speech model. */
  readonly sound?: { readonly voice: string; readonly speed: number };
  readonly parameters: {
    readonly temperature: number;
    readonly topP: number;
    readonly frequencyPenalty: number;
    readonly presencePenalty: number;
    readonly maxTokens: number;
    /** Tokens of prompt, history and answer together. */
    readonly maxContextLength: number;
    /** Parameters that are not sent, so that the provider's defaults apply; the fields here contain the usual value. */
    readonly unset?: readonly ("temperature" | "topP" | "frequencyPenalty" | "presencePenalty" | "maxTokens")[];
    readonly timeoutMs: number;
    readonly retryCount: number;
    readonly supportsTools: boolean;
    readonly supportsStream: boolean;
    /** True when the protocol supports images; the model itself may still reject them. */
    readonly supportsVision: boolean;
    /** Text placed before all other layers of the prompt. */
    readonly systemPrompt: string;
  };
}

/** Category of a model failure, as answers name it. */
export type ModelErrorCategory =
  | "network"
  | "timeout"
  | "server_error"
  | "rate_limited"
  | "quota"
  | "auth"
  | "no_key"
  | "invalid_response"
  | "model_missing"
  | "context_length"
  | "bad_request"
  | "content_refused"
  | "exhausted";

/** A provider failure in words that are safe to show. */
export interface ModelFailure {
  readonly category: ModelErrorCategory;
  readonly statusCode: number | null;
  /** Details of at most 500 characters, without any key. */
  readonly detail: string;
  /** Chinese detail, empty when the category is enough; absent for the provider's own words. */
  readonly chinese?: string;
  /** Precise reason where the category is too broad: the answer was empty, or it broke off. */
  readonly reason?: "empty" | "broken_off";
  readonly retryAfterMs: number | null;
  /** True when an earlier model failed for a reason that may end within a minute. */
  readonly mayPass?: boolean;
}

/** Configured models: selection and cost. */
export interface Models {
  /** Returns the model that answers; throws `unavailable` when a purpose has none. Chat always has one: the offline model is the last choice. */
  choose(purpose: ModelPurpose, sessionModelId?: string | null): Promise<ChosenModel>;
  /** Finds an enabled model by id or unique name; undefined when there is none. */
  find(
    idOrName: string,
  ): Promise<{ readonly id: string; readonly name: string; readonly purpose: ModelPurpose } | undefined>;
  /** Returns the purpose of a model by id, even when it is disabled; undefined when there is none. */
  purposeOf(id: string): Promise<ModelPurpose | undefined>;
  listEnabled(
    purpose: ModelPurpose,
  ): Promise<readonly { readonly id: string; readonly name: string; readonly model: string }[]>;
  /** Returns the `enable_memory` flag of the AI configuration; when false, nothing is stored in or read from memory. */
  usesMemory(): Promise<boolean>;
  /** Calls back when models or the AI configuration changed, in any process. Returns the unsubscribe function. */
  onChanged(listener: () => void): () => void;
}
export const Models: ServiceKey<Models> = serviceKey("models");

/** One provider call, failed ones included. */
export interface UsageEntry {
  readonly model_id: string;
  readonly model: string;
  readonly purpose: ModelPurpose;
  readonly session_id: string | null;
  readonly user: string | null;
  readonly trace_id: string | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Part of `input_tokens` that the provider read from its cache. Default 0. */
  readonly cache_read_tokens?: number;
  /** Part of `input_tokens` that the provider wrote to its cache. Default 0. */
  readonly cache_write_tokens?: number;
  readonly duration_ms: number;
  readonly ok: boolean;
}

/** One counted model call. */
export interface UsageRow extends UsageEntry {
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly time: string;
  readonly total_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  /** Cost by the model's prices at call time; null without prices. */
  readonly cost: number | null;
}

/** Sum of model calls. */
export interface UsageSum {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly requests: number;
  readonly cost: number;
}

/** The sum of no model calls. */
export const NO_USAGE_SUM: UsageSum = {
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  requests: 0,
  cost: 0,
};

/** Adds two sums; other fields of theirs are left out. */
export function addUsageSums(a: UsageSum, b: UsageSum): UsageSum {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
    cache_read_tokens: a.cache_read_tokens + b.cache_read_tokens,
    cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
    requests: a.requests + b.requests,
    cost: a.cost + b.cost,
  };
}

/** Token usage, one row per call, stored for 400 days. */
export interface TokenUsage {
  /**
   * Records one call and returns its cost; null without prices. The row is written within a second (`sums` and `rows` wait for it),
   * or passed to `into`, for a transaction of the caller.
   */
  record(entry: UsageEntry, into?: (write: Write) => void): Promise<number | null>;
  /** Returns sums from `since` (inclusive) to `until` (exclusive), ISO 8601, by group; deleted models and sessions keep their recorded names. */
  sums(
    by: "model" | "purpose" | "session" | "user" | "hour",
    since: string,
    until: string,
  ): Promise<readonly (UsageSum & { readonly key: string; readonly name: string; readonly average_ms: number })[]>;
  /** Returns rows in pages, oldest first. */
  rows(
    since: string,
    until: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly UsageRow[]>;
}
export const TokenUsage: ServiceKey<TokenUsage> = serviceKey("token-usage");
