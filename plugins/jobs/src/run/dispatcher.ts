import type { Clock, JobKind, Logger } from "@parley/core";
import type { JobCounts } from "../store/job-counts.ts";
import type { ClaimedJob, JobHead, JobStore } from "../store/job-store.ts";
import { createAlarm } from "./alarm.ts";
import type { FailPoint } from "./fail-point.ts";
import type { JobKindRegistry } from "./job-kinds.ts";
import { CANCELED, type JobRun, type JobRunDeps, LEASE_LOST, STOPPING, startRun } from "./job-run.ts";

const RENEW_EVERY_MS = 5_000;
const PROGRESS_INTERVAL_MS = 500;
const DEFAULT_CONCURRENCY = 4;
const ABORT_GRACE_MS = 500;
const POLL_INTERVAL_MS = 5_000;
const PRUNE_EVERY = 20_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** Milliseconds between rebuilds of the counters, which cover jobs of other processes. */
const REBUILD_COUNTS_INTERVAL_MS = 10_000;

/** Runs due jobs; sleeps until one is due. */
export interface Dispatcher {
  /** Recovers jobs of ended processes and starts. */
  start(): Promise<void>;
  /** Called when a job of the kind may run now; without a kind, any job. */
  wake(kind?: string): void;
  /** Called when a job of the kind was stored in this process. */
  onJobAdded(kind: string): void;
  /** Expects a job to become due at this time. */
  expectAt(dueMs: number): void;
  /** Aborts a run of this process; returns false when there is none. */
  cancel(jobId: string): boolean;
  /** Returns the error of the last storage access, if it failed. */
  getStorageError(): string | undefined;
  /** Waits for runs, aborts late ones, and releases them for the next start. */
  stop(): Promise<void>;
}

export interface DispatcherDeps extends Omit<JobRunDeps, "onReport"> {
  readonly store: JobStore;
  readonly kinds: JobKindRegistry;
  readonly counts: JobCounts;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
  /** Maximum count of parallel runs in total. */
  readonly concurrency: number;
  /** Milliseconds runs have to end when the service stops. */
  readonly drainMs: number;
  readonly isShared: () => boolean;
  /** Returns true when other processes should run new jobs. */
  readonly isDraining: () => boolean;
  /** Rebuilds the counters from storage. */
  readonly rebuildCounts: () => Promise<void>;
  /** Prunes finished jobs above the limit. */
  readonly prune: () => void;
  /** Called when more jobs of a kind wait than this process has room for. */
  readonly broadcastWaiting: (kind: string) => void;
  readonly onJobChanged: (jobId: string) => void;
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, kinds, counts, clock, logger, failPoint, concurrency, isShared, rebuildCounts, onJobChanged } = deps;
  const runs = new Map<string, JobRun>();
  const running = new Map<string, number>();
  /** Kinds that may have waiting jobs. */
  const candidateKinds = new Set<string>();
  /** Kinds with new jobs that another process may run. */
  const freshKinds = new Set<string>();
  const runsWithNotes = new Set<JobRun>();
  /** Time of the next due job; undefined when there is none. */
  let nextMs: number | undefined;
  let expectedMs = Number.POSITIVE_INFINITY;
  /** True when a claim was postponed, so that a job may be due before the next one. */
  let isClaimDeferred = false;
  let endedCount = 0;
  let countedMs = clock.monotonic();
  let pumping: Promise<void> | undefined;
  let isWanted = false;
  let isStopping = true;
  let trouble: string | undefined;
  let troubleMs = FIRST_RETRY_MS;
  let renewing: NodeJS.Timeout | undefined;
  let noting: NodeJS.Timeout | undefined;

  const poll = () => {
    nextMs = 0;
    wake();
  };
  const alarm = createAlarm(clock, poll);
  const wake = (kind?: string) => {
    if (isStopping) return;
    if (kind !== undefined) candidateKinds.add(kind);
    else for (const one of kinds.all()) candidateKinds.add(one.kind);
    isWanted = true;
    pumping ??= pump().finally(() => {
      pumping = undefined;
      if (isWanted) wake();
    });
  };
  const arm = (atMs: number | undefined) => {
    nextMs = atMs;
    if (!isStopping) alarm.set(atMs);
  };
  const pump = async () => {
    try {
      while (isWanted && !isStopping) {
        isWanted = false;
        // Collects ends of the same commit.
        await new Promise((resolve) => setImmediate(resolve));
        await claimDue();
      }
      trouble = undefined;
      troubleMs = FIRST_RETRY_MS;
    } catch (error) {
      if (trouble === undefined) logger.error("jobs cannot be claimed now", { error });
      trouble = (error as Error).message;
      arm(clock.now() + troubleMs);
      troubleMs = Math.min(troubleMs * 2, MAX_RETRY_MS);
    }
  };
  const armNext = async () => {
    isClaimDeferred = false;
    expectedMs = Number.POSITIVE_INFINITY;
    const storedMs = (await store.nextMs()) ?? Number.POSITIVE_INFINITY;
    // Includes jobs added during the query; jobs left waiting by another process are not signalled, so it polls.
    const atMs = Math.min(storedMs, expectedMs, isShared() ? clock.now() + POLL_INTERVAL_MS : Number.POSITIVE_INFINITY);
    arm(Number.isFinite(atMs) ? atMs : undefined);
  };
  const claimDue = async () => {
    if (isStopping) return;
    if (nextMs !== undefined && nextMs <= clock.now()) await ripen();
    else if (isClaimDeferred) await armNext();
    const heads = await listRunnableHeads();
    const next = heads.sort(([, a], [, b]) => compareHeads(a, b)).slice(0, concurrency - runs.size);
    if (next.length === 0 || isStopping) return tellWithoutRoom();
    const wanted = new Map<string, number>();
    for (const [kind] of next) wanted.set(kind, (wanted.get(kind) ?? 0) + 1);
    for (const [kind] of heads) candidateKinds.add(kind);
    const claimed = await store.claim(wanted);
    failPoint("job-claimed");
    for (const job of claimed) begin(job);
    tellWithoutRoom();
    if (claimed.length > 0) isWanted = true;
  };
  const getKindFreeSlots = (kind: string) =>
    deps.isDraining() ? 0 : Math.min(concurrency - runs.size, getFreeSlots(kinds.find(kind), running.get(kind) ?? 0));
  const tellWithoutRoom = () => {
    for (const kind of freshKinds) if (getKindFreeSlots(kind) <= 0) deps.broadcastWaiting(kind);
    freshKinds.clear();
  };
  /** Queues delayed jobs that are due by now. */
  const ripen = async () => {
    if (isShared()) {
      const recovered = await store.recover(false);
      // Jobs of other processes are not counted here.
      if (recovered > 0 || clock.monotonic() - countedMs > REBUILD_COUNTS_INTERVAL_MS) {
        countedMs = clock.monotonic();
        await rebuildCounts();
      }
      for (const { kind } of kinds.all()) candidateKinds.add(kind);
    }
    const { kinds: ripe, isMore } = await store.promote();
    for (const kind of ripe) {
      candidateKinds.add(kind);
      freshKinds.add(kind);
    }
    if (isMore) isWanted = true;
    else await armNext();
  };
  const listRunnableHeads = async () => {
    const heads: (readonly [kind: string, head: JobHead])[] = [];
    for (const name of [...candidateKinds]) {
      const room = getKindFreeSlots(name);
      if (room <= 0) continue;
      // Deleted before the query, so that jobs added meanwhile mark the kind again.
      candidateKinds.delete(name);
      for (const head of await store.heads(name, room)) heads.push([name, head]);
    }
    return heads;
  };
  const begin = (job: ClaimedJob) => {
    const kind = kinds.find(job.kind);
    if (!kind) return;
    const run = startRun({ ...deps, onReport: report }, job, kind);
    runs.set(job.id, run);
    running.set(job.kind, (running.get(job.kind) ?? 0) + 1);
    counts.change(job.kind, "waiting", "running");
    onJobChanged(job.id);
    renewing ??= setInterval(() => void renew(), RENEW_EVERY_MS);
    void run.ended.then((state) => {
      runs.delete(job.id);
      runsWithNotes.delete(run);
      running.set(job.kind, (running.get(job.kind) ?? 1) - 1);
      counts.change(job.kind, "running", state);
      if (state === "later") isClaimDeferred = true;
      onJobChanged(job.id);
      endedCount += 1;
      if (endedCount % PRUNE_EVERY === 0) deps.prune();
      if (runs.size === 0) renewing = void clearInterval(renewing);
      wake(job.kind);
    });
  };
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
  const report = (run: JobRun) => {
    runsWithNotes.add(run);
    noting ??= setTimeout(() => void noteAll(), PROGRESS_INTERVAL_MS);
  };
  const noteAll = async () => {
    const some = [...runsWithNotes];
    runsWithNotes.clear();
    for (const run of some) {
      await run.saveProgress().catch((error) => logger.warn("the progress of a job could not be stored", { error }));
      onJobChanged(run.job.id);
    }
    noting = undefined;
    if (runsWithNotes.size > 0 && !isStopping) noting = setTimeout(() => void noteAll(), PROGRESS_INTERVAL_MS);
  };

  return {
    async start() {
      await store.recover(!isShared());
      await rebuildCounts();
      isStopping = false;
      poll();
    },
    wake,
    onJobAdded(kind) {
      freshKinds.add(kind);
      wake(kind);
    },
    expectAt(dueMs) {
      expectedMs = Math.min(expectedMs, dueMs);
      if (nextMs === undefined || dueMs < nextMs) arm(dueMs);
    },
    cancel(jobId) {
      const run = runs.get(jobId);
      run?.abort(CANCELED);
      return run !== undefined;
    },
    getStorageError: () => trouble,
    async stop() {
      isStopping = true;
      alarm.stop();
      // Jobs claimed by it are then among the running ones.
      await pumping;
      const ended = () => Promise.all([...runs.values()].map((run) => run.ended));
      if (!(await endsWithin(ended(), deps.drainMs))) {
        for (const run of runs.values()) run.abort(STOPPING);
        await endsWithin(ended(), ABORT_GRACE_MS);
      }
      for (const run of runs.values()) {
        // The run ignores its signal; releasing an ended one changes nothing.
        await run.release().catch((error) => logger.warn("a job that does not end could not be released", { error }));
      }
      clearInterval(renewing);
      clearTimeout(noting);
    },
  };
}

function getFreeSlots(kind: JobKind | undefined, running: number): number {
  return kind ? (kind.concurrency ?? DEFAULT_CONCURRENCY) - running : 0;
}

function compareHeads(a: JobHead, b: JobHead): number {
  return b.priority - a.priority || a.due_ms - b.due_ms || (a.id < b.id ? -1 : 1);
}

async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isOver = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isOver;
}
