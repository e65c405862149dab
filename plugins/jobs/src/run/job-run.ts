import {
  AppError,
  type Clock,
  collectWrites,
  type Effect,
  type JobContext,
  type JobKind,
  type JobSleep,
  type Logger,
  notifyApplied,
  type Redaction,
  toLocalizedError,
} from "@parley/core";
import { raceWithSignal } from "@parley/core/async";
import type { ClaimedJob, JobEnd, JobProgress, JobStore } from "../store/job-store.ts";
import type { JobState } from "../store/tables.ts";
import { jobsTexts } from "../texts.ts";
import { DEFAULT_RETRY, getRetryDelay } from "./backoff.ts";
import type { FailPoint } from "./fail-point.ts";
import { isFinished, type JobEndEffects } from "./job-end-effects.ts";
import { validatePayload } from "./job-kinds.ts";
import { createRunNotes } from "./run-notes.ts";
import { createSteps, type Steps } from "./steps.ts";

const DEFAULT_TIMEOUT_MS = 600_000;
/** Milliseconds after an abort until a run that ignores its signal loses its slot. */
const ABORT_GRACE_MS = 10_000;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;
/** Error codes of failures that a retry cannot fix. */
const PERMANENT_ERROR_CODES = new Set(["bad_request", "not_found", "permission_denied", "unauthorized", "too_large"]);

/** Abort reason when the service stops: the job waits again, and the next start runs it. */
export const STOPPING = new AppError("unavailable", "the service is stopping");
export const CANCELED = jobsTexts.error("conflict", "canceled");
/** Abort reason when another process has claimed the job: nothing of the run is stored. */
export const LEASE_LOST = new AppError("conflict", "the job belongs to another process by now");
const NOT_STORED = jobsTexts.error("conflict", "not_stored");

export interface JobRunDeps {
  readonly store: JobStore;
  readonly ends: JobEndEffects;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redaction: Redaction;
  readonly failPoint: FailPoint;
  readonly random: () => number;
  /** Called when a run reported progress or a log line. */
  readonly onReport: (run: JobRun) => void;
}

/** A running job. */
export interface JobRun {
  readonly job: ClaimedJob;
  abort(reason: AppError): void;
  /** Stores the progress so far. */
  saveProgress(): Promise<void>;
  /** Releases the job for another run, even if this run has not ended. */
  release(): Promise<void>;
  /** Outcome of the job; undefined when unknown here. Never rejects. */
  readonly ended: Promise<JobState | undefined>;
}

export function startRun(deps: JobRunDeps, job: ClaimedJob, kind: JobKind): JobRun {
  const { store, clock, logger, failPoint } = deps;
  const abort = new AbortController();
  const { signal } = abort;
  const before = { progress: job.progress, text: job.progress_text };
  const notes = createRunNotes(before, clock, deps.redaction, () => deps.onReport(run));
  const steps = createSteps({ store, run: job, signal, failPoint });
  const context: JobContext = {
    jobId: job.id,
    attempt: job.failures + 1,
    isRepeated: job.runs > 1,
    signal,
    progress: notes.progress,
    log: notes.log,
    once: steps.once,
  };
  const work = async (): Promise<JobResult> => {
    signal.throwIfAborted();
    return (await kind.run(validatePayload(kind, JSON.parse(job.payload)), context)) ?? [];
  };
  const toRunEnd = createRunEnd({ ...deps, job, kind, signal, steps });
  const storeEnd = async (end: JobEnd, own: readonly Effect[]) => {
    const effects = isFinished(end.state) ? [...own, ...deps.ends.getEffects(job, end.state, end.error)] : own;
    const results = await store.end(job, end, notes.takeLines(), collectWrites(effects));
    failPoint("job-ended");
    notifyApplied(effects, results);
    return end.state;
  };
  const execute = async (): Promise<readonly [end: JobEnd | undefined, effects: readonly Effect[]]> => {
    using _limit = abortAfter(abort, kind.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    // The cancellation was requested before this run began.
    if (job.cancel_asked === 1) abort.abort(CANCELED);
    try {
      const result = await raceWithSignal(work(), signal, ABORT_GRACE_MS);
      failPoint("job-ran");
      return toEnd(result, notes.current());
    } catch (error) {
      return [toRunEnd(error, notes.current()), []];
    }
  };
  const runToStoredEnd = async (): Promise<JobState | undefined> => {
    let [end, effects] = await execute();
    for (
      let waitMs = FIRST_RETRY_MS;
      end && signal.reason !== LEASE_LOST;
      waitMs = Math.min(waitMs * 2, MAX_RETRY_MS)
    ) {
      try {
        return await storeEnd(end, effects);
      } catch (error) {
        const isRejected = AppError.is(error) && error.code === "conflict";
        // A conflict that no effect caused means that another worker has the job.
        if (signal.reason === STOPPING || (isRejected && effects.length === 0)) return undefined;
        logger.error("the end of a job could not be stored", { jobId: job.id, kind: job.kind, error });
        if (!isRejected) await new Promise((resolve) => setTimeout(resolve, waitMs));
        else [end, effects] = [toRunEnd(NOT_STORED, notes.current()), []];
      }
    }
    return undefined;
  };
  const run: JobRun = {
    job,
    abort: (reason) => abort.abort(reason),
    async saveProgress() {
      if (notes.isNew()) await store.saveProgress(job, notes.current(), notes.takeLines());
    },
    async release() {
      await store.end(job, { state: "waiting", ...notes.current() }, notes.takeLines(), []);
    },
    ended: Promise.resolve().then(runToStoredEnd),
  };
  return run;
}

/** Effects of a run that is done, or the sleep of one that goes on later. */
type JobResult = readonly Effect[] | JobSleep;

function toEnd(result: JobResult, report: JobProgress): readonly [end: JobEnd, effects: readonly Effect[]] {
  if (!("resumeAtMs" in result)) return [{ state: "done", ...report }, result];
  return [{ state: "later", dueMs: result.resumeAtMs, ...report }, result.effects ?? []];
}

interface EndDeps extends Pick<JobRunDeps, "clock" | "logger" | "random"> {
  readonly job: ClaimedJob;
  readonly kind: JobKind;
  readonly signal: AbortSignal;
  readonly steps: Steps;
}

/** Returns the job state that an error leads to; undefined when the job belongs to another run. */
function createRunEnd({ clock, logger, random, job, kind, signal, steps }: EndDeps) {
  return (cause: unknown, report: Pick<JobEnd, "progress" | "text">): JobEnd | undefined => {
    const why: unknown = signal.aborted ? signal.reason : cause;
    if (why === LEASE_LOST) return undefined;
    if (why === STOPPING) return { state: "waiting", ...report };
    if (why === CANCELED) return { state: "canceled", ...report };
    if (steps.isInterruption(why))
      return { state: "dead", ...report, error: { ...toLocalizedError(why), code: "interrupted" } };
    if (!AppError.is(why)) logger.error("a job failed", { jobId: job.id, kind: job.kind, error: why });
    const error = toLocalizedError(AppError.is(why) ? why : jobsTexts.error("internal", "failed"));
    const failure = { ...report, error, isFailure: true };
    const retry = kind.retry ?? DEFAULT_RETRY;
    if (PERMANENT_ERROR_CODES.has(error.code) || job.failures + 1 >= retry.attempts)
      return { state: "dead", ...failure };
    return { state: "later", dueMs: clock.now() + getRetryDelay(retry, job.failures + 1, random), ...failure };
  };
}

function abortAfter(abort: AbortController, ms: number): Disposable {
  const timer = setTimeout(() => abort.abort(jobsTexts.error("timed_out", "late")), ms);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
