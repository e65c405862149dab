import Joi from "@hapi/joi";
import {
  AppError,
  type Clock,
  isStorageBusy,
  type JobContext,
  type JobKind,
  type Jobs,
  jobKind,
  type LiveEvents,
  type Logger,
  type Redaction,
  RUN_TIMEOUT_S,
  type Settings,
  type ToldFailure,
  toldFailure,
  type Write,
} from "@parley/core";
import { cutAt } from "./clamp.ts";
import { interrupted } from "./kept-failures.ts";
import { Interrupted, isLeft, type Ledger, openLedger } from "./ledger.ts";
import type { RunEnd, RunStore } from "./run-store.ts";
import { canceledEnd, failedEnd, RUN_JOB, type Runs } from "./runs.ts";
import { automationFailure } from "./said-failures.ts";
import type { RunKind, RunTable } from "./tables.ts";

const MAX_RESULT = 20_000;
/** Tries of a run that cannot end, or that storage refuses, for about five minutes. */
const RETRY = { attempts: 12, firstDelayMs: 500, maxDelayMs: 60_000 } as const;
/** More than any run may take: its own limit counts. */
const JOB_TIMEOUT_MS = 2 * 3_600_000;

/** A run as its work sees it. */
export interface RunContext {
  readonly row: RunTable;
  /** As `RunOrder.order` gave it. */
  readonly order: unknown;
  readonly ledger: Ledger;
  /** Aborts when the run is cancelled, takes too long, or the service stops. */
  readonly signal: AbortSignal;
  /** The conversation that shows what the run did. */
  inSession(sessionId: string): Promise<void>;
}

export type RunOutcome =
  | {
      readonly result: string;
      /** It did what it could, and that was not all. */
      readonly error?: ToldFailure;
      /** Stored with the end of the run. */
      readonly writes?: readonly Write[];
      /** Called when it is stored. */
      applied?(): void;
    }
  /** It goes on at that time; what is done stays done. */
  | { readonly sleepUntilMs: number; readonly key: string };

/** The work of one kind of run. What it throws is how the run failed. */
export type RunWork = (run: RunContext) => Promise<RunOutcome>;

export interface RunJobParts {
  readonly store: RunStore;
  readonly runs: Runs;
  readonly works: Readonly<Record<RunKind, RunWork>>;
  readonly jobs: () => Jobs;
  readonly events: LiveEvents;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redaction: Pick<Redaction, "mask">;
  readonly pauseMs: number;
}

/** Runs as jobs: they survive the process, and what their ledger has is not done again. */
export function runJob(parts: RunJobParts): JobKind {
  const { store, runs, works, jobs, settings, clock, logger } = parts;
  const work = async (row: RunTable, context: JobContext) => {
    const seconds = settings.get(RUN_TIMEOUT_S);
    const limit = new AbortController();
    const late = automationFailure("timed_out", "run_late", { seconds });
    const timer = setTimeout(() => limit.abort(late), Math.max(0, seconds * 1000 - row.active_ms));
    const signal = AbortSignal.any([context.signal, limit.signal]);
    let sessionId = row.session_id;
    const endWith = (end: RunEnd) => ({
      end: { ...end, sessionId },
      writes: [] as readonly Write[],
      applied: undefined,
    });
    try {
      const outcome = await works[row.kind]({
        row,
        order: JSON.parse(row.order_json),
        ledger: await ledgerOf(row, signal),
        signal,
        async inSession(id) {
          if (id !== sessionId) await store.inSession(row, id);
          sessionId = id;
        },
      });
      if ("sleepUntilMs" in outcome) return outcome;
      const { result, error = null, writes = [], applied } = outcome;
      const status = error ? "failed" : "success";
      return { end: { status, result: cutAt(result, MAX_RESULT), error, sessionId } as RunEnd, writes, applied };
    } catch (error) {
      if (isLeft(context.signal)) throw error;
      if (context.signal.aborted) {
        const isAsked = (await store.find(row.run_id))?.cancel_asked === 1;
        // Cancelled as a job, or somebody else's by now: whoever looks after runs ends it.
        if (!isAsked) throw error;
        return endWith(canceledEnd(row));
      }
      if (limit.signal.aborted) return endWith(failedEnd(row, toldFailure(late), "timed_out"));
      // It goes on from its ledger.
      if (isStorageBusy(error) && context.attempt < RETRY.attempts) throw error;
      if (error instanceof Interrupted) return endWith(failedEnd(row, interrupted(toldFailure(error))));
      if (!AppError.is(error)) logger.error("a run failed", { run: row.run_id, error });
      return endWith(
        failedEnd(row, toldFailure(AppError.is(error) ? error : automationFailure("internal", "run_failed"))),
      );
    } finally {
      clearTimeout(timer);
    }
  };
  const ledgerOf = (row: RunTable, signal: AbortSignal) => {
    const { run_id, kind, owner_id, owner_name } = row;
    const changed: Parameters<typeof openLedger>[0]["changed"] = (step) =>
      parts.events.publish({
        type: "task_event",
        durable: false,
        payload: { run_id, kind, owner_id, owner_name, status: "running", step },
      });
    return openLedger({ ...parts, changed }, row, signal);
  };

  return jobKind<{ readonly run_id: string }>({
    kind: RUN_JOB,
    titles: { en: "Run of a workflow or a task", zh: "执行工作流或任务" },
    schema: Joi.object({ run_id: Joi.string().required() }),
    retry: RETRY,
    concurrency: 16,
    timeoutMs: JOB_TIMEOUT_MS,
    async run({ run_id }, context) {
      const row = await store.begin(run_id, clock.now());
      if (!row) return [];
      runs.begun(row);
      const began = clock.monotonic();
      const done =
        row.cancel_asked === 1 ? { end: canceledEnd(row), writes: [], applied: undefined } : await work(row, context);
      if ("sleepUntilMs" in done) {
        const activeMs = row.active_ms + Math.round(clock.monotonic() - began);
        const options = {
          key: `${run_id}:${done.key}:${clock.now()}`,
          runAt: done.sleepUntilMs,
          traceId: row.trace_id,
        };
        return [{ writes: [store.sleeping(row, activeMs)] }, jobs().effect(RUN_JOB, { run_id }, options)];
      }
      const { end, writes, applied } = done;
      const ending = store.ending(row, end, clock.now(), row.fence);
      const told = () => {
        applied?.();
        runs.ended(row, end);
      };
      return [{ writes: [...ending, ...writes], applied: told }];
    },
  });
}
