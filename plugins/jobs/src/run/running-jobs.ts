import type { JobKind } from "@parley/core";
import { settlesWithin } from "@parley/core/async";
import type { JobCounts } from "../store/job-counts.ts";
import type { ClaimedJob } from "../store/job-store.ts";
import type { JobState } from "../store/tables.ts";
import { CANCELED, type JobRun, type JobRunDeps, LEASE_LOST, STOPPING, startRun } from "./job-run.ts";

const RENEW_EVERY_MS = 5_000;
const PROGRESS_INTERVAL_MS = 500;
const ABORT_GRACE_MS = 500;

/** The jobs this process runs: keeps their leases and stores their progress. */
export interface RunningJobs {
  readonly size: number;
  countOf(kind: string): number;
  start(job: ClaimedJob, kind: JobKind): void;
  /** Aborts a run; returns false when there is none. */
  cancel(jobId: string): boolean;
  /** Waits up to `drainMs` for the runs to end, aborts late ones, and releases them for the next start. */
  stop(drainMs: number): Promise<void>;
}

export interface RunningJobsDeps extends Omit<JobRunDeps, "onReport"> {
  readonly counts: JobCounts;
  readonly onJobChanged: (jobId: string) => void;
  /** Called when a run has ended; `state` is undefined when its outcome is unknown here. */
  readonly onEnded: (kind: string, state: JobState | undefined) => void;
}

export function createRunningJobs(deps: RunningJobsDeps): RunningJobs {
  const { store, counts, logger, onJobChanged } = deps;
  const runs = new Map<string, JobRun>();
  const countByKind = new Map<string, number>();
  const progress = createProgressWriter(deps);
  let renewing: NodeJS.Timeout | undefined;
  const countOf = (kind: string) => countByKind.get(kind) ?? 0;

  const renew = async () => {
    const all = [...runs.values()];
    try {
      const renewals = await store.renew(all.map(({ job }) => job));
      for (const [at, run] of all.entries()) {
        // A run that has ended ignores the abort.
        if (renewals[at] === "lost") run.abort(LEASE_LOST);
        if (renewals[at] === "canceled") run.abort(CANCELED);
      }
    } catch (error) {
      logger.error("the leases of running jobs could not be renewed", { error });
    }
  };
  const end = (run: JobRun, state: JobState | undefined) => {
    const { id, kind } = run.job;
    runs.delete(id);
    progress.discard(run);
    countByKind.set(kind, countOf(kind) - 1);
    counts.change(kind, "running", state);
    onJobChanged(id);
    if (runs.size === 0) renewing = void clearInterval(renewing);
    deps.onEnded(kind, state);
  };

  return {
    get size() {
      return runs.size;
    },
    countOf,
    start(job, kind) {
      const run = startRun({ ...deps, onReport: progress.storeLater }, job, kind);
      runs.set(job.id, run);
      countByKind.set(job.kind, countOf(job.kind) + 1);
      counts.change(job.kind, "waiting", "running");
      onJobChanged(job.id);
      renewing ??= setInterval(() => void renew(), RENEW_EVERY_MS);
      void run.ended.then((state) => end(run, state));
    },
    cancel(jobId) {
      const run = runs.get(jobId);
      run?.abort(CANCELED);
      return run !== undefined;
    },
    async stop(drainMs) {
      const ended = () => Promise.all([...runs.values()].map((run) => run.ended));
      if (!(await settlesWithin(ended(), drainMs))) {
        for (const run of runs.values()) run.abort(STOPPING);
        await settlesWithin(ended(), ABORT_GRACE_MS);
      }
      for (const run of runs.values()) {
        // The run ignores its signal; releasing an ended one changes nothing.
        await run.release().catch((error) => logger.warn("a job that does not end could not be released", { error }));
      }
      clearInterval(renewing);
      progress.stop();
    },
  };
}

/** Stores what runs reported, at most every 500 ms. */
function createProgressWriter({ logger, onJobChanged }: Pick<RunningJobsDeps, "logger" | "onJobChanged">) {
  const reported = new Set<JobRun>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const storeAll = async () => {
    const some = [...reported];
    reported.clear();
    for (const run of some) {
      await run.saveProgress().catch((error) => logger.warn("the progress of a job could not be stored", { error }));
      onJobChanged(run.job.id);
    }
    timer = undefined;
    if (reported.size > 0) schedule();
  };
  const schedule = () => {
    if (!isStopped) timer ??= setTimeout(() => void storeAll(), PROGRESS_INTERVAL_MS);
  };
  return {
    storeLater(run: JobRun) {
      reported.add(run);
      schedule();
    },
    discard: (run: JobRun) => void reported.delete(run),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
