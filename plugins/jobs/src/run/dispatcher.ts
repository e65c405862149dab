import type { JobKind } from "@parley/core";
import type { JobHead } from "../store/job-store.ts";
import type { JobState } from "../store/tables.ts";
import { createAlarm } from "./alarm.ts";
import type { JobKindRegistry } from "./job-kinds.ts";
import { createRunningJobs, type RunningJobsDeps } from "./running-jobs.ts";

const DEFAULT_CONCURRENCY = 4;
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

export interface DispatcherDeps extends Omit<RunningJobsDeps, "onEnded"> {
  readonly kinds: JobKindRegistry;
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
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, kinds, clock, logger, failPoint, concurrency, isShared, rebuildCounts } = deps;
  /** Kinds that may have waiting jobs. */
  const candidateKinds = new Set<string>();
  /** Kinds with new jobs that another process may run. */
  const freshKinds = new Set<string>();
  /** Time of the next due job; undefined when there is none. */
  let nextMs: number | undefined;
  let expectedMs = Number.POSITIVE_INFINITY;
  /** True when a claim was postponed, so that a job may be due before the next one. */
  let isClaimDeferred = false;
  let endedCount = 0;
  let countedMs = clock.monotonic();
  let claiming: Promise<void> | undefined;
  let hasWork = false;
  let isStopping = true;
  let storageError: string | undefined;
  let retryMs = FIRST_RETRY_MS;

  const poll = () => {
    nextMs = 0;
    wake();
  };
  const alarm = createAlarm(clock, poll);
  const wake = (kind?: string) => {
    if (isStopping) return;
    if (kind !== undefined) candidateKinds.add(kind);
    else for (const one of kinds.all()) candidateKinds.add(one.kind);
    hasWork = true;
    claiming ??= claimUntilDone().finally(() => {
      claiming = undefined;
      if (hasWork) wake();
    });
  };
  const setAlarm = (atMs: number | undefined) => {
    nextMs = atMs;
    if (!isStopping) alarm.set(atMs);
  };
  const claimUntilDone = async () => {
    try {
      while (hasWork && !isStopping) {
        hasWork = false;
        // Runs that ended with the same commit are then replaced by one claim.
        await new Promise((resolve) => setImmediate(resolve));
        await claimDue();
      }
      storageError = undefined;
      retryMs = FIRST_RETRY_MS;
    } catch (error) {
      if (storageError === undefined) logger.error("jobs cannot be claimed now", { error });
      storageError = (error as Error).message;
      setAlarm(clock.now() + retryMs);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }
  };
  const setNextAlarm = async () => {
    isClaimDeferred = false;
    expectedMs = Number.POSITIVE_INFINITY;
    const storedMs = (await store.findNextMs()) ?? Number.POSITIVE_INFINITY;
    // Includes jobs added during the query; jobs left waiting by another process are not signalled, so it polls.
    const atMs = Math.min(storedMs, expectedMs, isShared() ? clock.now() + POLL_INTERVAL_MS : Number.POSITIVE_INFINITY);
    setAlarm(Number.isFinite(atMs) ? atMs : undefined);
  };
  const claimDue = async () => {
    if (isStopping) return;
    if (nextMs !== undefined && nextMs <= clock.now()) await promoteDue();
    else if (isClaimDeferred) await setNextAlarm();
    const heads = await listRunnableHeads();
    const next = heads.sort(([, a], [, b]) => compareHeads(a, b)).slice(0, concurrency - running.size);
    if (next.length === 0 || isStopping) return broadcastFullKinds();
    const wanted = new Map<string, number>();
    for (const [kind] of next) wanted.set(kind, (wanted.get(kind) ?? 0) + 1);
    for (const [kind] of heads) candidateKinds.add(kind);
    const claimed = await store.claim(wanted);
    failPoint("job-claimed");
    for (const job of claimed) {
      const kind = kinds.find(job.kind);
      if (kind) running.start(job, kind);
    }
    broadcastFullKinds();
    if (claimed.length > 0) hasWork = true;
  };
  const getFreeSlotsOf = (kind: string) =>
    deps.isDraining() ? 0 : Math.min(concurrency - running.size, getFreeSlots(kinds.find(kind), running.countOf(kind)));
  const broadcastFullKinds = () => {
    for (const kind of freshKinds) if (getFreeSlotsOf(kind) <= 0) deps.broadcastWaiting(kind);
    freshKinds.clear();
  };
  /** Queues delayed jobs that are due by now. */
  const promoteDue = async () => {
    if (isShared()) {
      const recovered = await store.recover(false);
      // Jobs of other processes are not counted here.
      if (recovered > 0 || clock.monotonic() - countedMs > REBUILD_COUNTS_INTERVAL_MS) {
        countedMs = clock.monotonic();
        await rebuildCounts();
      }
      for (const { kind } of kinds.all()) candidateKinds.add(kind);
    }
    const { kinds: promotedKinds, isMore } = await store.promote();
    for (const kind of promotedKinds) {
      candidateKinds.add(kind);
      freshKinds.add(kind);
    }
    if (isMore) hasWork = true;
    else await setNextAlarm();
  };
  const listRunnableHeads = async () => {
    const heads: (readonly [kind: string, head: JobHead])[] = [];
    for (const name of [...candidateKinds]) {
      const room = getFreeSlotsOf(name);
      if (room <= 0) continue;
      // Deleted before the query, so that jobs added meanwhile mark the kind again.
      candidateKinds.delete(name);
      for (const head of await store.listHeads(name, room)) heads.push([name, head]);
    }
    return heads;
  };
  const onEnded = (kind: string, state: JobState | undefined) => {
    if (state === "later") isClaimDeferred = true;
    endedCount += 1;
    if (endedCount % PRUNE_EVERY === 0) deps.prune();
    wake(kind);
  };
  const running = createRunningJobs({ ...deps, onEnded });

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
      if (nextMs === undefined || dueMs < nextMs) setAlarm(dueMs);
    },
    cancel: running.cancel,
    getStorageError: () => storageError,
    async stop() {
      isStopping = true;
      alarm.stop();
      // Jobs that are being claimed are then among the running ones.
      await claiming;
      await running.stop(deps.drainMs);
    },
  };
}

function getFreeSlots(kind: JobKind | undefined, running: number): number {
  return kind ? (kind.concurrency ?? DEFAULT_CONCURRENCY) - running : 0;
}

function compareHeads(a: JobHead, b: JobHead): number {
  return b.priority - a.priority || a.due_ms - b.due_ms || (a.id < b.id ? -1 : 1);
}
