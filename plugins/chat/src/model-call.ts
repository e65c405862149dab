import { setTimeout as pause } from "node:timers/promises";
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import {
  AppError,
  type ChosenModel,
  type Clock,
  type ModelErrorCategory,
  type ModelFailure,
  type Models,
  type TokenUsage,
  type Usage,
  type Write,
} from "@parley/core";
import { listen, type ModelResponse } from "./listen.ts";
import { estimateTokens } from "./token-estimate.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const LONGEST_RETRY_AFTER_MS = 5000;
const SMALLER_SHARE = 0.5;

export interface ModelRequest {
  readonly model: ChosenModel;
  /**
   * The prompt with this share of the context for history, asked again with less when it was too long; with pictures
   * unless the model does not take any.
   */
  readonly prompt: (share: number, isSeeing: boolean) => LanguageModelV4Prompt;
  readonly hasPictures?: boolean;
  readonly tools?: readonly LanguageModelV4FunctionTool[];
  /** Default `auto`. */
  readonly toolChoice?: "auto" | "none";
  readonly maxTokens?: number;
  /** True: a failure is final; for calls that are not worth a second one. */
  readonly isOnce?: boolean;
  readonly sessionId: string | null;
  readonly user: string | null;
  readonly traceId: string | null;
  readonly signal: AbortSignal;
  /** Called with each piece of the text as it comes; absent: the answer is asked for whole. */
  readonly onText?: (delta: string) => void;
  /** Takes the row of what it cost, for a transaction of the caller. Absent: it is written by itself. */
  readonly onUsage?: (write: Write) => void;
  /** Called before each repeat. */
  readonly onRetry?: (failure: ModelFailure) => void;
}

export interface AskedTool {
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it. */
  readonly input: string;
}

export interface ModelAnswer {
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly AskedTool[];
  /** `failed` carries `failure`; what was said before it is in `text`. */
  readonly ending: "done" | "length" | "aborted" | "failed";
  readonly failure?: ModelFailure;
  readonly usage: Usage;
}

export interface ModelCallParts {
  readonly models: Pick<Models, "failure">;
  readonly usage: Pick<TokenUsage, "record">;
  readonly clock: Clock;
  /** Waits; replaced in tests. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** 0 to 1; replaced in tests. */
  readonly random?: () => number;
}

/** Asks a model once, with the repeats that contract models §6 allows before it said anything. A failure is in the answer, not thrown. */
export type CallModel = (request: ModelRequest) => Promise<ModelAnswer>;

export function createModelCall(parts: ModelCallParts): CallModel {
  const { sleep = (ms, signal) => pause(ms, undefined, { signal }), random = Math.random } = parts;
  /** Models that refused pictures: a protocol that knows them does not mean that every model sees. */
  const blind = new Set<string>();
  return async (request) => {
    const name = `${request.model.modelId}\n${request.model.model}`;
    let isSeeing = request.hasPictures === true && !blind.has(name);
    let share = 1;
    let spent: Usage | undefined;
    for (let tries = 0; ; tries += 1) {
      const answer = await attempt(request, request.prompt(share, isSeeing), parts);
      spent = addUsage(spent, answer.usage);
      const whole = { ...answer, usage: spent };
      const { failure } = answer;
      if (!failure || answer.text !== "" || answer.toolCalls.length > 0) return whole;
      if (request.isOnce) return whole;
      if (isSeeing && failure.category === "bad_request") {
        blind.add(name);
        isSeeing = false;
        request.onRetry?.(failure);
        continue;
      }
      const wait = pauseBefore(tries, failure, request.model.parameters.retryCount, random);
      if (wait === undefined) return whole;
      if (failure.category === "context_length") share = SMALLER_SHARE;
      request.onRetry?.(failure);
      await sleep(wait, request.signal).catch(() => {});
      if (request.signal.aborted) return { ...whole, ending: "aborted" };
    }
  };
}

const ONCE: readonly ModelErrorCategory[] = ["rate_limited", "invalid_response", "context_length"];
const AGAIN: readonly ModelErrorCategory[] = ["network", "timeout", "server_error"];

/** Milliseconds until the same model is asked again; undefined when it must not be. */
function pauseBefore(
  tries: number,
  failure: ModelFailure,
  retryCount: number,
  random: () => number,
): number | undefined {
  const { category, retryAfterMs } = failure;
  if (category === "rate_limited") {
    return tries === 0 && retryAfterMs !== null && retryAfterMs <= LONGEST_RETRY_AFTER_MS ? retryAfterMs : undefined;
  }
  if (ONCE.includes(category)) return tries === 0 ? 0 : undefined;
  if (!AGAIN.includes(category) || tries >= retryCount) return undefined;
  return Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS) * (0.5 + random() / 2);
}

async function attempt(
  request: ModelRequest,
  prompt: LanguageModelV4Prompt,
  parts: ModelCallParts,
): Promise<ModelAnswer> {
  const { model, signal, sessionId, user, traceId } = request;
  const begun = parts.clock.monotonic();
  const response: ModelResponse = { text: "", thinking: "", toolCalls: [], finish: undefined, usage: undefined };
  const thrown = await listen(request, prompt, response).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const aborted = signal.aborted;
  const failure = aborted ? undefined : thrown ? parts.models.failure(thrown.error) : emptyFailure(response);
  const tokens = tokensOf(response, prompt, failure !== undefined);
  const entry = {
    model_id: model.modelId,
    model: model.model,
    purpose: "chat" as const,
    session_id: sessionId,
    user,
    trace_id: traceId,
    ...tokens,
    duration_ms: parts.clock.monotonic() - begun,
    ok: !failure,
  };
  const cost = await parts.usage.record(entry, request.onUsage);
  const usage = { ...tokens, total_tokens: tokens.input_tokens + tokens.output_tokens, cost };
  const ending = aborted ? "aborted" : failure ? "failed" : response.finish === "length" ? "length" : "done";
  const { text, thinking, toolCalls } = response;
  return { text, thinking, toolCalls, ending, usage, ...(failure && { failure }) };
}

function emptyFailure({ text, toolCalls, finish }: ModelResponse): ModelFailure | undefined {
  const failed = (category: ModelErrorCategory, detail: string) => ({
    category,
    detail,
    statusCode: null,
    retryAfterMs: null,
  });
  if (finish === "error" || finish === "interrupted") return failed("invalid_response", "the answer broke off");
  if (text.trim() !== "" || toolCalls.length > 0) return undefined;
  if (finish === "content-filter") return failed("content_refused", "the provider refused to answer");
  return failed("invalid_response", "the answer was empty");
}

function tokensOf({ usage, text, thinking }: ModelResponse, prompt: LanguageModelV4Prompt, isFailed: boolean) {
  // A request that was refused costs nothing; for one that broke off the provider's figures are missing.
  if (isFailed && !usage && text === "" && thinking === "") return { input_tokens: 0, output_tokens: 0 };
  return {
    input_tokens: usage?.inputTokens.total ?? estimateTokens(textOf(prompt)),
    output_tokens: usage?.outputTokens.total ?? estimateTokens(text + thinking),
  };
}

/** Everything but the bytes of files. */
function textOf(prompt: LanguageModelV4Prompt): string {
  return JSON.stringify(prompt, (_key, value) => (value?.type === "file" ? { type: "file" } : value));
}

export function addUsage(a: Usage | undefined, b: Usage): Usage {
  if (!a) return b;
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
    cost: a.cost === null && b.cost === null ? null : (a.cost ?? 0) + (b.cost ?? 0),
  };
}

/** The error of a turn whose model failed: 504 for time-outs, 503 when nothing usable is configured, else 502. */
export function failureError({ category, statusCode, detail }: ModelFailure): AppError {
  const code =
    category === "timeout"
      ? "timed_out"
      : category === "no_key" || category === "exhausted"
        ? "unavailable"
        : "upstream_failed";
  const status = statusCode === null || statusCode < 400 ? "" : `, ${statusCode}`;
  return new AppError(code, `the model did not answer (${category}${status}): ${detail}`);
}
