import { setTimeout as pause } from "node:timers/promises";
import {
  type AnsweringModel,
  addUsage,
  type Budgets,
  type Clock,
  deadline,
  type GatewayLog,
  type LiveEvents,
  type Logger,
  type ModelFailure,
  type ModelPurpose,
  mayPass,
  type TokenUsage,
  type Usage,
} from "@parley/core";
import type { ModelQueue } from "../failover/model-queue.ts";
import type { RequestFeature, UnsupportedFeatures } from "../failover/unsupported-features.ts";
import { addAddressHint } from "../providers/provider-error.ts";
import type { Catalog } from "../records/catalog.ts";
import type { ConfiguredModel } from "../records/configured-model.ts";
import type { Attempt, AttemptOutcome, AttemptRequest, InvalidAnswer } from "./attempt.ts";
import { createAttemptLog } from "./attempt-log.ts";
import { createAttemptReservation, OverBudget } from "./budget-reservation.ts";
import { getFirstTokenTimeoutMs, getRetryDelayMs, isFinalFailure } from "./retries.ts";

const REDUCED_SHARE = 0.5;
const ZERO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0, cost: null };

export interface AttemptResult<Result> {
  readonly model: AnsweringModel;
  readonly result: Result;
  readonly failure?: ModelFailure;
  readonly usage: Usage;
}

/** Tries the models of a queue until one answers. A failure is returned, not thrown; a budget that is used up rejects. */
export type Attempts = <Result>(work: AttemptRequest<Result>) => Promise<AttemptResult<Result>>;

export interface AttemptsDeps {
  readonly catalog: Pick<Catalog, "open" | "toFailure" | "requireEnabled">;
  readonly modelQueue: ModelQueue;
  /** Features that single models rejected although their protocol supports them. */
  readonly features: UnsupportedFeatures;
  readonly usage: Pick<TokenUsage, "record">;
  readonly budgets?: () => Budgets | undefined;
  readonly clock: Clock;
  readonly events: Pick<LiveEvents, "publish">;
  readonly gatewayLog: () => GatewayLog | undefined;
  /** Logs models that did not answer. */
  readonly log: Pick<Logger, "warn">;
  /** Resolves after a delay; tests replace it. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** Returns a number from 0 to 1; tests replace it. */
  readonly random?: (() => number) | undefined;
}

export function createAttempts(deps: AttemptsDeps): Attempts {
  const { modelQueue, features, sleep = (ms, signal) => pause(ms, undefined, { signal }), random = Math.random } = deps;
  const attemptLog = createAttemptLog(deps);

  return async <Result>(request: AttemptRequest<Result>): Promise<AttemptResult<Result>> => {
    try {
      return await askQueue(request);
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      const { rejection, cheaperModelId } = error;
      const cheaper =
        cheaperModelId === undefined ? undefined : await findCheaper(deps, request.purpose, cheaperModelId);
      if (!cheaper) throw rejection;
      return await askQueue({ ...request, queue: [cheaper] }).catch((again: unknown) => {
        throw again instanceof OverBudget ? again.rejection : again;
      });
    }
  };

  /** Tries the models of the queue, one after the other. */
  async function askQueue<Result>(request: AttemptRequest<Result>): Promise<AttemptResult<Result>> {
    const { options, purpose } = request;
    const { candidates, isLastResort, exhausted } = await modelQueue.selectCandidates(request.queue);
    const [first] = candidates;
    if (!first)
      return {
        model: toAnsweringModel(exhausted),
        result: request.emptyResult,
        failure: EXHAUSTED_FAILURE,
        usage: ZERO_USAGE,
      };
    if (isLastResort && request.isOptional) {
      return {
        model: toAnsweringModel(first),
        result: request.emptyResult,
        failure: COOLING_FAILURE,
        usage: ZERO_USAGE,
      };
    }
    let usage: Usage | undefined;
    let last: AttemptResult<Result> | undefined;
    let context = 0;
    let isPassing = false;
    for (const [index, configured] of candidates.entries()) {
      if (configured.fields.max_context_length <= context) continue;
      const isLast = index === candidates.length - 1;
      // Another call may have started a trial, or failed, in the meantime.
      if (!isLastResort && !(isLast && !last) && !modelQueue.mayTry(configured)) continue;
      if (last?.failure) publishFailover(last.model, configured, last.failure);
      const isOnce = request.isOnce || isLastResort;
      const done = await askOne(request, configured, {
        isOnce,
        isLast,
        after: last?.failure,
      });
      usage = addUsage(usage, done.usage);
      const { failure } = done;
      isPassing ||= failure !== undefined && mayPass(failure);
      last = { ...done, usage, ...(failure && isPassing && { failure: { ...failure, mayPass: true } }) };
      if (!failure || done.isFinal || request.isOnce || options.signal.aborted) return last;
      if (failure.category === "context_length") context = configured.fields.max_context_length;
    }
    return last as AttemptResult<Result>;

    function publishFailover(from: AnsweringModel, to: ConfiguredModel, { category }: ModelFailure): void {
      const payload = {
        purpose,
        from_model_id: from.modelId || null,
        to_model_id: to.modelId || null,
        category,
        trace_id: options.traceId ?? null,
      };
      deps.events.publish({ type: "model_failover", durable: true, payload });
    }
  }

  /** Makes all attempts at one model. */
  async function askOne<Result>(
    request: AttemptRequest<Result>,
    configured: ConfiguredModel,
    {
      isOnce,
      isLast,
      after,
    }: { readonly isOnce: boolean; readonly isLast: boolean; readonly after: ModelFailure | undefined },
  ): Promise<AttemptResult<Result> & { readonly isFinal: boolean }> {
    const { options } = request;
    const endCall = modelQueue.begin(configured);
    const disabled = new Set(features.get(configured));
    const newlyRejected = new Map<RequestFeature, string>();
    const model = toAnsweringModel(configured);
    // When another model is available, this limits all attempts together until the first token.
    using firstTokenDeadline = isLast ? undefined : deadline(getFirstTokenTimeoutMs(configured), options.signal);
    const signal = firstTokenDeadline?.signal ?? options.signal;
    let [share, usage, invalidAnswer, previousFailure] = [
      1,
      undefined as Usage | undefined,
      undefined as InvalidAnswer | undefined,
      after,
    ];
    attemptLog.logSelected(request, configured);
    for (let retryCount = 0; ; retryCount += 1) {
      request.onAttempt?.(model, previousFailure ?? null);
      const { outcome, usage: spent } = await attemptOnce(deps, request, configured, {
        share,
        disabled,
        ...(invalidAnswer && { invalidAnswer }),
        signal,
        onFirstToken: () => firstTokenDeadline?.lift(),
      }).catch((error: unknown) => {
        endCall(undefined);
        throw error;
      });
      usage = addUsage(usage, spent);
      const { failure, isShown, optionalFeatures = [], rejectedFeatures = [], result } = outcome;
      const finish = (how: Parameters<typeof endCall>[0], isFinal: boolean) => {
        endCall(how);
        return { model, result, usage: usage ?? ZERO_USAGE, isFinal, ...(failure && { failure }) };
      };
      if (options.signal.aborted) return finish(undefined, true);
      if (!failure) {
        // Only a success proves that these features were the cause of the rejection.
        for (const [extra, detail] of newlyRejected) features.add(configured, extra, detail);
        return finish("ok", true);
      }
      const isTimedOut = signal.aborted;
      const candidates = failure.category === "bad_request" ? optionalFeatures : [];
      const rejectedFeature = [...rejectedFeatures, ...candidates].find((extra) => !disabled.has(extra));
      if (rejectedFeature && !isShown && !isTimedOut) {
        disabled.add(rejectedFeature);
        newlyRejected.set(rejectedFeature, failure.detail);
      } else {
        const isInvalidAnswer = outcome.invalidAnswer !== undefined;
        const wait =
          isOnce || isShown || isTimedOut ? undefined : getRetryDelayMs(retryCount, failure, configured, random);
        if (wait === undefined) {
          attemptLog.logFailure(request, configured, failure);
          return finish(isInvalidAnswer ? undefined : failure, isShown === true || isFinalFailure(failure));
        }
        if (failure.category === "context_length") share = REDUCED_SHARE;
        invalidAnswer = outcome.invalidAnswer;
        await sleep(wait, signal).catch(() => {});
        if (options.signal.aborted) return finish(undefined, true);
        if (signal.aborted) {
          attemptLog.logFailure(request, configured, failure);
          return finish(failure, false);
        }
      }
      attemptLog.logRetry(request, configured, failure);
      previousFailure = failure;
    }
  }
}

/** Returns the model that a budget names; undefined when it is disabled or serves another purpose. */
function findCheaper(
  { catalog }: AttemptsDeps,
  purpose: ModelPurpose,
  modelId: string,
): Promise<ConfiguredModel | undefined> {
  return catalog.requireEnabled(purpose, modelId).catch(() => undefined);
}

/** Makes one attempt, and records its usage where budgets and statistics count it. */
async function attemptOnce<Result>(
  deps: AttemptsDeps,
  request: AttemptRequest<Result>,
  configured: ConfiguredModel,
  options: Omit<Attempt, "model" | "reserve">,
): Promise<{ readonly outcome: AttemptOutcome<Result>; readonly usage: Usage }> {
  const startedMs = deps.clock.monotonic();
  const { reserve, settle } = createAttemptReservation(deps.budgets?.(), request.options, configured);
  let usage: Usage | undefined;
  try {
    const outcome = await attempt(deps, request, configured, { ...options, reserve });
    usage = await recordUsage(deps, request, configured, outcome, deps.clock.monotonic() - startedMs);
    return { outcome, usage };
  } finally {
    settle(usage);
  }
}

async function attempt<Result>(
  deps: AttemptsDeps,
  request: AttemptRequest<Result>,
  configured: ConfiguredModel,
  options: Omit<Attempt, "model">,
): Promise<AttemptOutcome<Result>> {
  try {
    const outcome = await request.run({ ...options, model: await deps.catalog.open(configured, options.disabled) });
    const { failure } = outcome;
    if (!failure) return outcome;
    // What aborted the attempt explains its failure: the caller, or the time limit of this model.
    const read = options.signal.aborted ? deps.catalog.toFailure(options.signal.reason) : failure;
    return { ...outcome, failure: addAddressHint(read, configured.fields) };
  } catch (error) {
    if (error instanceof OverBudget) throw error;
    const failure = deps.catalog.toFailure(options.signal.aborted ? options.signal.reason : error);
    const extras = request.optionalFeatures ?? [];
    return {
      result: request.emptyResult,
      failure: addAddressHint(failure, configured.fields),
      optionalFeatures: extras,
      tokens: { input_tokens: 0, output_tokens: 0 },
    };
  }
}

async function recordUsage<Result>(
  deps: AttemptsDeps,
  { purpose, options }: AttemptRequest<Result>,
  { modelId, fields }: ConfiguredModel,
  { tokens, failure }: AttemptOutcome<Result>,
  durationMs: number,
): Promise<Usage> {
  const entry = {
    model_id: modelId,
    model: fields.model,
    purpose,
    session_id: options.session ?? null,
    user: options.user ?? null,
    trace_id: options.traceId ?? null,
    ...tokens,
    duration_ms: durationMs,
    // An abort by the caller does not count as a failure of the model.
    ok: !failure || options.signal.aborted,
  };
  const cost = await deps.usage.record(entry, options.turn?.record);
  return { ...tokens, total_tokens: tokens.input_tokens + tokens.output_tokens, cost };
}

const EXHAUSTED_FAILURE: ModelFailure = {
  category: "exhausted",
  statusCode: null,
  detail: "the token limit of every model that could answer is reached",
  chinese: "所有可用模型的 token 限额都已用完",
  retryAfterMs: null,
};

const COOLING_FAILURE: ModelFailure = {
  category: "server_error",
  statusCode: null,
  detail: "every model that could answer is paused after a failure",
  chinese: "所有可用模型都在失败后冷却中",
  retryAfterMs: null,
};

function toAnsweringModel(configured: ConfiguredModel | undefined): AnsweringModel {
  const { modelId = "", source = "offline", fields } = configured ?? {};
  return { modelId, source, label: fields?.name ?? "", model: fields?.model ?? "", protocol: fields?.protocol ?? "" };
}
