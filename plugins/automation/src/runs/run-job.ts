import Joi from "@hapi/joi";
import {
  AppError,
  type Clock,
  type Effect,
  isStorageBusy,
  type JobContext,
  type JobKind,
  jobKind,
  type LiveEvents,
  type LocalizedError,
  type Logger,
  type Redaction,
  RUN_TIMEOUT_S,
  type Settings,
  toLocalizedError,
  type Write,
} from "@parley/core";
import { toInterrupted } from "../stored-failures.ts";
import { automationTexts } from "../texts.ts";
import { Interrupted, type Ledger, openLedger } from "./ledger.ts";
import type { RunEnd, RunStore } from "./run-store.ts";
import { type Runs, toAbandonedEnd, toFailedEnd, toRunJob } from "./runs.ts";
import type { RunKind, RunTable } from "./tables.ts";
import { truncate } from "./truncate.ts";

/** Kind of the jobs of runs that a node of 0.3.0 started. */
const EARLIER_RUN_JOB = "automation.run";
const MAX_RESULT_CHARS = 20_000;
/** Retries of a run whose end cannot be stored, for about five minutes in total. */
const RETRY = { attempts: 12, firstDelayMs: 500, maxDelayMs: 60_000 } as const;
/** Longer than any run, because runs have their own time limit. */
const JOB_TIMEOUT_MS = 2 * 3_600_000;

/** The context in which a runner executes a run. */
export interface RunContext {
  readonly row: RunTable;
  /** Order of the run, as returned by `Runnable.toOrder`. */
  readonly order: unknown;
  readonly ledger: Ledger;
  /** Aborts when the run is cancelled or timed out, or when the service stops. */
  readonly signal: AbortSignal;
  /** Sets the conversation that shows the run. */
  setSession(sessionId: string): Promise<void>;
}

export type RunOutcome =
  | {
      readonly result: string;
      /** Error of a partly successful run. */
      readonly error?: LocalizedError;
      /** Writes that are committed with the end of the run. */
      readonly writes?: readonly Write[];
      /** Called when the end is stored. */
      applied?(): void;
    }
  /** Time at which the run continues; completed steps are not repeated. */
  | { readonly sleepUntilMs: number };

/** Executes the runs of one kind. An error that it throws is the failure of the run. */
export type Runner = (run: RunContext) => Promise<RunOutcome>;

export interface RunJobDeps {
  readonly store: RunStore;
  readonly runs: Runs;
  readonly runners: Readonly<Record<RunKind, Runner>>;
  readonly events: LiveEvents;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redaction: Pick<Redaction, "mask">;
  readonly pauseMs: number;
}

/** Creates the kinds of jobs that execute runs: they survive the process, and completed steps are not repeated. */
export function createRunJobs(deps: RunJobDeps): Readonly<Record<RunKind | "earlier", JobKind>> {
  const { store, runs, runners, settings, clock, logger } = deps;
  const runWork = async (row: RunTable, context: JobContext) => {
    const seconds = settings.get(RUN_TIMEOUT_S);
    const timeLimit = new AbortController();
    const timeoutError = automationTexts.error("timed_out", "run_late", { seconds });
    const signal = AbortSignal.any([context.signal, timeLimit.signal]);
    let sessionId = row.session_id;
    const endWith = (end: RunEnd, writes: readonly Write[] = [], applied?: () => void) => ({
      end,
      writes,
      applied,
      row: { ...row, session_id: sessionId },
    });
    // A node of 0.3.0 notes a cancellation with the run alone, since it does not know the kind of the job.
    if (row.cancel_asked === 1) return endWith(toAbandonedEnd("canceled", null));
    const timer = setTimeout(() => timeLimit.abort(timeoutError), Math.max(0, seconds * 1000 - row.active_ms));
    try {
      const outcome = await runners[row.kind]({
        row,
        order: JSON.parse(row.order_json),
        ledger: await openRunLedger(row, signal),
        signal,
        async setSession(id) {
          if (id !== sessionId) await store.setSession(row, id);
          sessionId = id;
        },
      });
      if ("sleepUntilMs" in outcome) return outcome;
      const { result, error = null, writes = [], applied } = outcome;
      const status = error ? "failed" : "success";
      return endWith({ status, result: truncate(result, MAX_RESULT_CHARS), error }, writes, applied);
    } catch (error) {
      // The job is cancelled, which ends the run, or another run of it goes on.
      if (context.signal.aborted) throw error;
      if (timeLimit.signal.aborted) return endWith(toFailedEnd(toLocalizedError(timeoutError), "timed_out"));
      // The retry continues with the run's ledger.
      if (isStorageBusy(error) && context.attempt < RETRY.attempts) throw error;
      if (error instanceof Interrupted) return endWith(toFailedEnd(toInterrupted(toLocalizedError(error))));
      if (!AppError.is(error)) logger.error("a run failed", { run: row.run_id, error });
      return endWith(
        toFailedEnd(toLocalizedError(AppError.is(error) ? error : automationTexts.error("internal", "run_failed"))),
      );
    } finally {
      clearTimeout(timer);
    }
  };
  const openRunLedger = (row: RunTable, signal: AbortSignal) => {
    const { run_id, kind, owner_id, owner_name } = row;
    const onStepChanged: Parameters<typeof openLedger>[0]["onStepChanged"] = (step) =>
      deps.events.publish({
        type: "task_event",
        durable: false,
        payload: { run_id, kind, owner_id, owner_name, status: "running", step },
      });
    return openLedger({ ...deps, onStepChanged }, row, signal);
  };

  const execute: RunJob["run"] = async ({ run_id }, context) => {
    const row = await store.begin(run_id, clock.now());
    if (!row) return [];
    runs.onBegun(row);
    const startedMs = clock.monotonic();
    const outcome = await runWork(row, context);
    if ("sleepUntilMs" in outcome) {
      const activeMs = row.active_ms + Math.round(clock.monotonic() - startedMs);
      return { resumeAtMs: outcome.sleepUntilMs, effects: [{ writes: [store.sleepWrite(row, activeMs)] }] };
    }
    const { end, writes, applied, row: last } = outcome;
    const onApplied = () => {
      applied?.();
      runs.onEnded(last, end);
    };
    return [{ writes: [...store.endWrites(run_id, end, clock.now()), ...writes], applied: onApplied }];
  };
  /** Goes on as a job of the run's own kind, which a node of 0.3.0 leaves alone. */
  const handOver: RunJob["run"] = async ({ run_id }) => {
    const row = await store.find(run_id);
    return row?.finished_ms === null ? [runs.toJob(row)] : [];
  };
  const ended = createJobEnd(deps);
  const toKind = (kind: string, titles: JobKind["titles"], run: RunJob["run"]) =>
    jobKind({ ...RUN_JOB, kind, titles, run, ended });
  return {
    workflow: toKind(toRunJob("workflow"), { en: "Run a workflow", zh: "运行工作流" }, execute),
    task: toKind(toRunJob("task"), { en: "Run a task", zh: "运行任务" }, execute),
    heartbeat: toKind(toRunJob("heartbeat"), { en: "Run the heartbeat", zh: "运行心跳" }, execute),
    earlier: toKind(EARLIER_RUN_JOB, { en: "Continue a run of version 0.3.0", zh: "继续 0.3.0 版本的运行" }, handOver),
  };
}

type RunJob = JobKind<{ readonly run_id: string }>;

const RUN_JOB = {
  schema: Joi.object({ run_id: Joi.string().required() }),
  retry: RETRY,
  concurrency: 16,
  timeoutMs: JOB_TIMEOUT_MS,
};

/** Returns the function that ends a run whose job was cancelled or is dead. */
function createJobEnd({ store, runs, clock, logger }: RunJobDeps): NonNullable<RunJob["ended"]> {
  return ({ run_id }, { status, error }) => {
    if (status === "done") return [];
    const applied: Effect["applied"] = ([ended]) => {
      if (ended?.changes !== 1) return;
      runs
        .onAbandoned(run_id)
        .catch((failure) => logger.warn("the end of a run could not be published", { run: run_id, error: failure }));
    };
    return [{ writes: store.endWrites(run_id, toAbandonedEnd(status, error), clock.now()), applied }];
  };
}
