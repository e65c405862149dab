import { setTimeout as pause } from "node:timers/promises";
import {
  type AnsweringModel,
  addUsage,
  type CallOptions,
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
import type { CallableModel, Catalog, ConfiguredModel } from "../catalog.ts";
import { withAddressHint } from "../failure.ts";
import { createAttemptLog } from "./attempt-log.ts";
import type { Line } from "./line.ts";
import type { Extra, Refusals } from "./refusals.ts";
import { isEnd, patienceOf, pauseBefore } from "./retries.ts";

const SMALLER_SHARE = 0.5;
const NOTHING: Usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0, cost: null };

/** How one attempt is made. */
export interface Attempt {
  readonly model: CallableModel;
  readonly share: number;
  /** What is left out, because the model did not take it. */
  readonly without: ReadonlySet<Extra>;
  /** The answer before this one, which did not fit what was asked for. */
  readonly unfit?: Unfit;
  readonly signal: AbortSignal;
  /** The model has begun to answer: nobody loses patience with it any more. */
  heard(): void;
}

export interface Unfit {
  readonly text: string;
  readonly problem: string;
}

/** What came of one attempt. */
export interface Outcome<Result> {
  readonly result: Result;
  readonly tokens: { readonly input_tokens: number; readonly output_tokens: number };
  readonly failure?: ModelFailure;
  /** True: people saw a part of it, so it is not made again in silence. */
  readonly isShown?: boolean;
  /** Set with a failure of category `invalid_response` that says nothing of the model's health. */
  readonly unfit?: Unfit;
  /** What it was asked with and may be asked without. */
  readonly extras?: readonly Extra[];
  /** What the provider's refusal names: the model is asked again without it. */
  readonly refused?: readonly Extra[];
}

export interface Work<Result> {
  readonly purpose: ModelPurpose;
  readonly options: CallOptions;
  /** In trying order; may hold models that cannot be tried now. */
  readonly queue: readonly ConfiguredModel[];
  readonly isOnce?: boolean;
  /** True: where all of them rest, none is asked. */
  readonly isOptional?: boolean;
  /** Asks once. What it throws is a failure of the model. */
  run(attempt: Attempt): Promise<Outcome<Result>>;
  /** What stands for a result where an attempt threw. */
  readonly nothing: Result;
  /** What it may be asked without, where an attempt threw. */
  readonly extras?: readonly Extra[];
  onAttempt?(model: AnsweringModel, after: ModelFailure | null): void;
}

export interface Done<Result> {
  readonly model: AnsweringModel;
  readonly result: Result;
  readonly failure?: ModelFailure;
  readonly usage: Usage;
}

/** Goes through a queue of models until one of them answers. A failure is in what it gives, not thrown. */
export type Attempts = <Result>(work: Work<Result>) => Promise<Done<Result>>;

export interface AttemptsParts {
  readonly catalog: Pick<Catalog, "open" | "failure">;
  readonly line: Line;
  /** What models refused before; a protocol that knows it does not mean that every model does. */
  readonly refusals: Refusals;
  readonly usage: Pick<TokenUsage, "record">;
  readonly clock: Clock;
  readonly events: Pick<LiveEvents, "publish">;
  readonly gatewayLog: () => GatewayLog | undefined;
  /** Is told of the models that gave no answer. */
  readonly log: Pick<Logger, "warn">;
  /** Waits; replaced in tests. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** 0 to 1; replaced in tests. */
  readonly random?: (() => number) | undefined;
}

export function createAttempts(parts: AttemptsParts): Attempts {
  const { line, refusals, sleep = (ms, signal) => pause(ms, undefined, { signal }), random = Math.random } = parts;
  const attemptLog = createAttemptLog(parts);

  return async <Result>(work: Work<Result>): Promise<Done<Result>> => {
    const { options, purpose } = work;
    const { usable, isLastResort, exhausted } = await line.usable(work.queue);
    const [first] = usable;
    if (!first) return { model: answering(exhausted), result: work.nothing, failure: EXHAUSTED, usage: NOTHING };
    if (isLastResort && work.isOptional) {
      return { model: answering(first), result: work.nothing, failure: RESTING, usage: NOTHING };
    }
    let usage: Usage | undefined;
    let last: Done<Result> | undefined;
    let context = 0;
    let isPassing = false;
    for (const [index, configured] of usable.entries()) {
      if (configured.fields.max_context_length <= context) continue;
      const isLast = index === usable.length - 1;
      // Since they were looked at, another call may have begun to try one, or seen it fail.
      if (!isLastResort && !(isLast && !last) && !line.mayTry(configured)) continue;
      if (last?.failure) publishFailover(last.model, configured, last.failure);
      const isOnce = work.isOnce || isLastResort;
      const done = await askOne(work, configured, {
        isOnce,
        isLast,
        after: last?.failure,
      });
      usage = addUsage(usage, done.usage);
      const { failure } = done;
      isPassing ||= failure !== undefined && mayPass(failure);
      last = { ...done, usage, ...(failure && isPassing && { failure: { ...failure, mayPass: true } }) };
      if (!failure || done.isFinal || work.isOnce || options.signal.aborted) return last;
      if (failure.category === "context_length") context = configured.fields.max_context_length;
    }
    return last as Done<Result>;

    function publishFailover(from: AnsweringModel, to: ConfiguredModel, { category }: ModelFailure): void {
      const payload = {
        purpose,
        from_model_id: from.modelId || null,
        to_model_id: to.modelId || null,
        category,
        trace_id: options.traceId ?? null,
      };
      parts.events.publish({ type: "model_failover", durable: true, payload });
    }
  };

  /** All attempts at one model. */
  async function askOne<Result>(
    work: Work<Result>,
    configured: ConfiguredModel,
    {
      isOnce,
      isLast,
      after,
    }: { readonly isOnce: boolean; readonly isLast: boolean; readonly after: ModelFailure | undefined },
  ): Promise<Done<Result> & { readonly isFinal: boolean }> {
    const { options } = work;
    const ended = line.begin(configured);
    const without = new Set(refusals.of(configured));
    const newlyRefused = new Map<Extra, string>();
    const model = answering(configured);
    // Where another model waits, all attempts at this one together have so long until it begins to answer.
    using patience = deadline(patienceOf(configured), options.signal);
    if (isLast) patience.lift();
    let [share, usage, unfit, why] = [1, undefined as Usage | undefined, undefined as Unfit | undefined, after];
    attemptLog.selected(work, configured);
    for (let tries = 0; ; tries += 1) {
      work.onAttempt?.(model, why ?? null);
      const begun = parts.clock.monotonic();
      const outcome = await attempt(work, configured, {
        share,
        without,
        ...(unfit && { unfit }),
        signal: patience.signal,
        heard: () => patience.lift(),
      });
      usage = addUsage(usage, await counted(work, configured, outcome, parts.clock.monotonic() - begun));
      const { failure, isShown, extras = [], refused = [], result } = outcome;
      const over = (how: Parameters<typeof ended>[0], isFinal: boolean) => {
        ended(how);
        return { model, result, usage: usage ?? NOTHING, isFinal, ...(failure && { failure }) };
      };
      if (options.signal.aborted) return over(undefined, true);
      if (!failure) {
        // Only now it is certain that these were what it refused.
        for (const [extra, detail] of newlyRefused) refusals.add(configured, extra, detail);
        return over("ok", true);
      }
      const isSpent = patience.signal.aborted;
      const candidates = failure.category === "bad_request" ? [...refused, ...extras] : refused;
      const refusal = candidates.find((extra) => !without.has(extra));
      if (refusal && !isShown && !isSpent) {
        without.add(refusal);
        newlyRefused.set(refusal, failure.detail);
      } else {
        const isBlameless = outcome.unfit !== undefined;
        const wait = isOnce || isShown || isSpent ? undefined : pauseBefore(tries, failure, configured, random);
        if (wait === undefined) {
          attemptLog.gaveUp(work, configured, failure);
          return over(isBlameless ? undefined : failure, isShown === true || isEnd(failure));
        }
        if (failure.category === "context_length") share = SMALLER_SHARE;
        unfit = outcome.unfit;
        await sleep(wait, patience.signal).catch(() => {});
        if (options.signal.aborted) return over(undefined, true);
        if (patience.signal.aborted) {
          attemptLog.gaveUp(work, configured, failure);
          return over(failure, false);
        }
      }
      attemptLog.askedAgain(work, configured, failure);
      why = failure;
    }
  }

  async function attempt<Result>(
    work: Work<Result>,
    configured: ConfiguredModel,
    how: Omit<Attempt, "model">,
  ): Promise<Outcome<Result>> {
    try {
      const outcome = await work.run({ ...how, model: await parts.catalog.open(configured, how.without) });
      // Another one was waiting: it is this one's time that was over, not the caller's.
      const { failure } = outcome;
      if (!failure) return outcome;
      const read = how.signal.aborted ? parts.catalog.failure(how.signal.reason) : failure;
      return { ...outcome, failure: withAddressHint(read, configured.fields) };
    } catch (error) {
      const failure = parts.catalog.failure(how.signal.aborted ? how.signal.reason : error);
      const extras = work.extras ?? [];
      return {
        result: work.nothing,
        failure: withAddressHint(failure, configured.fields),
        extras,
        tokens: { input_tokens: 0, output_tokens: 0 },
      };
    }
  }

  async function counted<Result>(
    { purpose, options }: Work<Result>,
    { modelId, fields }: ConfiguredModel,
    { tokens, failure }: Outcome<Result>,
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
      // Whoever stops a model has nothing against it.
      ok: !failure || options.signal.aborted,
    };
    const cost = await parts.usage.record(entry, options.turn?.record);
    return { ...tokens, total_tokens: tokens.input_tokens + tokens.output_tokens, cost };
  }
}

const EXHAUSTED: ModelFailure = {
  category: "exhausted",
  statusCode: null,
  detail: "the token limit of every model that could answer is reached",
  chinese: "所有可用模型的 token 限额都已用完",
  retryAfterMs: null,
};

const RESTING: ModelFailure = {
  category: "server_error",
  statusCode: null,
  detail: "every model that could answer rests after a failure",
  chinese: "所有可用模型都在失败后冷却中",
  retryAfterMs: null,
};

function answering(configured: ConfiguredModel | undefined): AnsweringModel {
  const { modelId = "", source = "offline", fields } = configured ?? {};
  return { modelId, source, label: fields?.name ?? "", model: fields?.model ?? "", protocol: fields?.protocol ?? "" };
}
