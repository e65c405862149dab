import {
  AppError,
  type ChosenModel,
  type Clock,
  deadline,
  type ModelFailure,
  type ModelPurpose,
  type TokenUsage,
} from "@parley/core";
import type { Catalog, ConfiguredModel } from "./catalog.ts";

const DEFAULT_PROMPT = "Say hello in one short sentence.";
const SAMPLE_LENGTH = 500;
const TRIAL_TOKENS = 500;
const CALLED: readonly ModelPurpose[] = ["chat", "vision", "video", "embedding"];

/** What one real call to a model showed. */
export interface TrialResult {
  readonly ok: boolean;
  readonly elapsed_ms: number;
  readonly status_code: number | null;
  readonly category: ModelFailure["category"] | null;
  readonly detail: string;
  readonly sample: string;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number; readonly total_tokens: number };
}

export interface TrialRequest {
  readonly purpose: ModelPurpose;
  readonly prompt?: string | undefined;
  readonly timeoutS: number;
  readonly user: string;
}

export interface TrialParts {
  readonly catalog: Catalog;
  readonly usage: TokenUsage;
  readonly clock: Clock;
}

/** Calls a model once, as its purpose would; a failure is a result, not an error. */
export type Trial = (configured: ConfiguredModel, request: TrialRequest, signal: AbortSignal) => Promise<TrialResult>;

export function createTrial({ catalog, usage, clock }: TrialParts): Trial {
  return async (configured, { purpose, prompt = DEFAULT_PROMPT, timeoutS, user }, signal) => {
    if (!CALLED.includes(purpose)) {
      throw new AppError("unavailable", `models of purpose '${purpose}' cannot be tested: nothing here calls them`);
    }
    const begun = clock.monotonic();
    using limit = deadline(timeoutS * 1000, signal);
    const limited = limit.signal;
    const { fields, modelId } = configured;
    const finish = async (result: Partial<TrialResult>, tokens: Tokens): Promise<TrialResult> => {
      const elapsed = Math.round(clock.monotonic() - begun);
      const ok = result.ok ?? false;
      const who = { model_id: modelId, model: fields.model, purpose, session_id: null, user, trace_id: null };
      await usage.record({ ...who, ...tokens, duration_ms: elapsed, ok });
      const total = { ...tokens, total_tokens: tokens.input_tokens + tokens.output_tokens };
      const base = { ok, elapsed_ms: elapsed, status_code: null, category: null, detail: "", sample: "", usage: total };
      return { ...base, ...result };
    };
    try {
      const { sample, tokens } = await callOnce(await catalog.open(configured), purpose, prompt, limited);
      return await finish({ ok: true, status_code: 200, sample: sample.slice(0, SAMPLE_LENGTH) }, tokens);
    } catch (error) {
      const { category, statusCode, detail } = catalog.failure(limited.aborted ? limited.reason : error);
      return finish({ status_code: statusCode, category, detail }, { input_tokens: 0, output_tokens: 0 });
    }
  };
}

interface Tokens {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

async function callOnce(model: ChosenModel, purpose: ModelPurpose, prompt: string, signal: AbortSignal) {
  if (purpose === "embedding" && model.embedding) {
    const { embeddings, usage } = await model.embedding.doEmbed({ values: [prompt], abortSignal: signal });
    const sample = `a vector of ${embeddings[0]?.length ?? 0} numbers`;
    return { sample, tokens: { input_tokens: usage?.tokens ?? 0, output_tokens: 0 } };
  }
  if (!model.language)
    throw new AppError("bad_request", `the protocol '${model.protocol}' has no model for this purpose`);
  const { content, usage } = await model.language.doGenerate({
    prompt: [{ role: "user", content: [{ type: "text", text: prompt }] }],
    maxOutputTokens: Math.min(model.parameters.maxTokens, TRIAL_TOKENS),
    temperature: model.parameters.temperature,
    abortSignal: signal,
  });
  const sample = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const tokens = { input_tokens: usage.inputTokens.total ?? 0, output_tokens: usage.outputTokens.total ?? 0 };
  return { sample, tokens };
}
