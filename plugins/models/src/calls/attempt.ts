import type { AnsweringModel, CallOptions, ModelFailure, ModelPurpose, Usage } from "@parley/core";
import type { RequestFeature } from "../failover/unsupported-features.ts";
import type { CallableModel } from "../records/catalog.ts";
import type { ConfiguredModel } from "../records/configured-model.ts";

export interface Attempt {
  readonly model: CallableModel;
  readonly share: number;
  /** Request features that are left out because the model rejected them. */
  readonly disabled: ReadonlySet<RequestFeature>;
  /** The previous answer, which did not match the requested format. */
  readonly invalidAnswer?: InvalidAnswer;
  readonly signal: AbortSignal;
  /** Reserves the estimate in the budgets that apply; awaited before each request, and rejects when one is used up. */
  reserve(estimate: () => Tokens): Promise<void>;
  /** Called when the model has begun to answer, which ends the timeout of the first token. */
  onFirstToken(): void;
}

export interface InvalidAnswer {
  readonly text: string;
  readonly problem: string;
}

/** Tokens of one call. */
export type Tokens = Pick<Usage, "input_tokens" | "output_tokens" | "cache_read_tokens" | "cache_write_tokens">;

export interface AttemptOutcome<Result> {
  readonly result: Result;
  readonly tokens: Tokens;
  readonly failure?: ModelFailure;
  /** True when people saw part of the answer, so it is not retried silently. */
  readonly isShown?: boolean;
  /** Set with an `invalid_response` failure, which does not affect the model's health. */
  readonly invalidAnswer?: InvalidAnswer;
  /** Features that the request can do without. */
  readonly optionalFeatures?: readonly RequestFeature[];
  /** Features that the provider rejected; the model is called again without them. */
  readonly rejectedFeatures?: readonly RequestFeature[];
}

export interface AttemptRequest<Result> {
  readonly purpose: ModelPurpose;
  readonly options: CallOptions;
  /** Models in the order in which they are tried, including models that cannot be tried now. */
  readonly queue: readonly ConfiguredModel[];
  readonly isOnce?: boolean;
  /** True to call no model at all while every model is cooling down. */
  readonly isOptional?: boolean;
  /** Makes one attempt; a thrown error counts as a failure of the model. */
  run(attempt: Attempt): Promise<AttemptOutcome<Result>>;
  readonly emptyResult: Result;
  /** Features that the request can do without, used for an attempt that threw. */
  readonly optionalFeatures?: readonly RequestFeature[];
  onAttempt?(model: AnsweringModel, after: ModelFailure | null): void;
}
