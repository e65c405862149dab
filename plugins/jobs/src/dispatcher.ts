import type { Clock, JobKind, Logger } from "@parley/core";
import { createAlarm } from "./alarm.ts";
import type { FailPoint } from "./fail-point.ts";
import type { JobCounts } from "./job-counts.ts";
import { CANCELED, type JobRun, type JobRunParts, LOST, STOPPING, startRun } from "./job-run.ts";
import type { ClaimedJob, Head, JobStore } from "./job-store.ts";
import type { Kinds } from "./kinds.ts";
import { RECOUNT_EVERY_MS } from "./other-processes.ts";

const RENEW_EVERY_MS = 5_000;
const NOTE_EVERY_MS = 500;
const USUAL_CONCURRENCY = 4;
const ABORT_MS = 500;
const LOOK_EVERY_MS = 5_000;
const PRUNE_EVERY = 20_000;
const FIRST_TROUBLE_MS = 1_000;
const LAST_TROUBLE_MS = 30_000;

/** Runs what is due: sleeps until something is. */
export interface Dispatcher {
  /** Takes what was left by a process that is gone, and begins. */
  start(): Promise<void>;
  /** A job of the kind may run that could not before; absent: of any kind. */
  wake(kind?: string): void;
  /** The same, of one that was stored here. */
  came(kind: string): void;
  /** A job falls due then. */
  expect(dueMs: number): void;
  /** Ends a run of this process; false: it is none of them. */
  cancel(jobId: string): boolean;
  /** Why the storage gave nothing the last time it was asked. */
  trouble(): string | undefined;
  /** Lets runs end, aborts what does not, and sets it free for the next start. */
  stop(): Promise<void>;
}

export interface DispatcherParts extends Omit<JobRunParts, "said"> {
  readonly store: JobStore;
  readonly kinds: Kinds;
  readonly counts: JobCounts;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
  /** How many run at once in all. */
  readonly places: number;
  /** How long runs may take to end when the service stops. */
  readonly drainMs: number;
  readonly isShared: () => boolean;
  /** Other processes run what comes from now on. */
  readonly isDraining: () => boolean;
  /** Counts what is stored. */
  readonly recount: () => Promise<void>;
  /** Many are over: what is more than kept goes. */
  readonly prune: () => void;
  /** More of a kind waits than this process has room for. */
  readonly tellWaiting: (kind: string) => void;
  /** A job has changed. */
  readonly changed: (jobId: string) => void;
}

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { store, kinds, counts, clock, logger, failPoint, places, isShared, recount, changed } = parts;
  const runs = new Map<string, JobRun>();
  const running = new Map<string, number>();
  /** Kinds of which something may wait. */
  const candidates = new Set<string>();
  /** Kinds of which something came, that another process may have room for. */
  const fresh = new Set<string>();
  const talking = new Set<JobRun>();
  /** When something falls due; undefined: nothing will. */
  let nextMs: number | undefined;
  let expectedMs = Number.POSITIVE_INFINITY;
  /** Something was put off, and may fall due before. */
  let isPutOff = false;
  let over = 0;
  let countedMs = clock.monotonic();
  let pumping: Promise<void> | undefined;
  let isWanted = false;
  let isStopping = true;
  let trouble: string | undefined;
  let troubleMs = FIRST_TROUBLE_MS;
  let renewing: NodeJS.Timeout | undefined;
  let noting: NodeJS.Timeout | undefined;

  const lookAgain = () => {
    nextMs = 0;
    wake();
  };
  const alarm = createAlarm(clock, lookAgain);
  const wake = (kind?: string) => {
    if (isStopping) return;
    if (kind !== undefined) candidates.add(kind);
    else for (const one of kinds.all()) candidates.add(one.kind);
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
        // What ends in one commit is followed in one commit.
        await new Promise((resolve) => setImmediate(resolve));
        await look();
      }
      trouble = undefined;
      troubleMs = FIRST_TROUBLE_MS;
    } catch (error) {
      if (trouble === undefined) logger.error("jobs cannot be taken now", { error });
      trouble = (error as Error).message;
      arm(clock.now() + troubleMs);
      troubleMs = Math.min(troubleMs * 2, LAST_TROUBLE_MS);
    }
  };
  const armNext = async () => {
    isPutOff = false;
    expectedMs = Number.POSITIVE_INFINITY;
    const storedMs = (await store.nextMs()) ?? Number.POSITIVE_INFINITY;
    // What was added while it was asked may not be in the answer; what another process leaves waiting nobody tells of.
    const atMs = Math.min(storedMs, expectedMs, isShared() ? clock.now() + LOOK_EVERY_MS : Number.POSITIVE_INFINITY);
    arm(Number.isFinite(atMs) ? atMs : undefined);
  };
  const look = async () => {
    if (isStopping) return;
    if (nextMs !== undefined && nextMs <= clock.now()) await ripen();
    else if (isPutOff) await armNext();
    const heads = await headsWithRoom();
    const next = heads.sort(([, a], [, b]) => inOrder(a, b)).slice(0, places - runs.size);
    if (next.length === 0 || isStopping) return tellWithoutRoom();
    const wanted = new Map<string, number>();
    for (const [kind] of next) wanted.set(kind, (wanted.get(kind) ?? 0) + 1);
    for (const [kind] of heads) candidates.add(kind);
    const claimed = await store.claim(wanted);
    failPoint("job-claimed");
    for (const job of claimed) begin(job);
    tellWithoutRoom();
    if (claimed.length > 0) isWanted = true;
  };
  const roomFor = (kind: string) =>
    parts.isDraining() ? 0 : Math.min(places - runs.size, roomOf(kinds.find(kind), running.get(kind) ?? 0));
  const tellWithoutRoom = () => {
    for (const kind of fresh) if (roomFor(kind) <= 0) parts.tellWaiting(kind);
    fresh.clear();
  };
  /** What was for later and is due by now waits for a place. */
  const ripen = async () => {
    if (isShared()) {
      const recovered = await store.recover(false);
      // What the others add, run and end is not counted here.
      if (recovered > 0 || clock.monotonic() - countedMs > RECOUNT_EVERY_MS) {
        countedMs = clock.monotonic();
        await recount();
      }
      for (const { kind } of kinds.all()) candidates.add(kind);
    }
    const { kinds: ripe, isMore } = await store.promote();
    for (const kind of ripe) {
      candidates.add(kind);
      fresh.add(kind);
    }
    if (isMore) isWanted = true;
    else await armNext();
  };
  const headsWithRoom = async () => {
    const heads: (readonly [kind: string, head: Head])[] = [];
    for (const name of [...candidates]) {
      const room = roomFor(name);
      if (room <= 0) continue;
      // Before it is asked: what comes while it answers makes it one again.
      candidates.delete(name);
      for (const head of await store.heads(name, room)) heads.push([name, head]);
    }
    return heads;
  };
  const begin = (job: ClaimedJob) => {
    const kind = kinds.find(job.kind);
    if (!kind) return;
    const run = startRun({ ...parts, said }, job, kind);
    runs.set(job.id, run);
    running.set(job.kind, (running.get(job.kind) ?? 0) + 1);
    counts.change(job.kind, "waiting", "running");
    changed(job.id);
    renewing ??= setInterval(() => void renew(), RENEW_EVERY_MS);
    void run.ended.then((state) => {
      runs.delete(job.id);
      talking.delete(run);
      running.set(job.kind, (running.get(job.kind) ?? 1) - 1);
      counts.change(job.kind, "running", state);
      if (state === "later") isPutOff = true;
      changed(job.id);
      over += 1;
      if (over % PRUNE_EVERY === 0) parts.prune();
      if (runs.size === 0) renewing = void clearInterval(renewing);
      wake(job.kind);
    });
  };
  const renew = async () => {
    const all = [...runs.values()];
    try {
      const kept = await store.renew(all.map(({ job }) => job));
      for (const [at, run] of all.entries()) {
        // One that ended meanwhile heeds it no more.
        if (kept[at] === "lost") run.abort(LOST);
        if (kept[at] === "canceled") run.abort(CANCELED);
      }
    } catch (error) {
      logger.error("jobs that run could not be kept", { error });
    }
  };
  const said = (run: JobRun) => {
    talking.add(run);
    noting ??= setTimeout(() => void noteAll(), NOTE_EVERY_MS);
  };
  const noteAll = async () => {
    const some = [...talking];
    talking.clear();
    for (const run of some) {
      await run.note().catch((error) => logger.warn("what a job said could not be stored", { error }));
      changed(run.job.id);
    }
    noting = undefined;
    if (talking.size > 0 && !isStopping) noting = setTimeout(() => void noteAll(), NOTE_EVERY_MS);
  };

  return {
    async start() {
      await store.recover(!isShared());
      await recount();
      isStopping = false;
      lookAgain();
    },
    wake,
    came(kind) {
      fresh.add(kind);
      wake(kind);
    },
    expect(dueMs) {
      expectedMs = Math.min(expectedMs, dueMs);
      if (nextMs === undefined || dueMs < nextMs) arm(dueMs);
    },
    cancel(jobId) {
      const run = runs.get(jobId);
      run?.abort(CANCELED);
      return run !== undefined;
    },
    trouble: () => trouble,
    async stop() {
      isStopping = true;
      alarm.stop();
      // What it has claimed is among those that run then.
      await pumping;
      const ended = () => Promise.all([...runs.values()].map((run) => run.ended));
      if (!(await endsWithin(ended(), parts.drainMs))) {
        for (const run of runs.values()) run.abort(STOPPING);
        await endsWithin(ended(), ABORT_MS);
      }
      for (const run of runs.values()) {
        // It does not heed its signal; where it was over after all nothing changes.
        await run.release().catch((error) => logger.warn("a job that does not end could not be set free", { error }));
      }
      clearInterval(renewing);
      clearTimeout(noting);
    },
  };
}

function roomOf(kind: JobKind | undefined, running: number): number {
  return kind ? (kind.concurrency ?? USUAL_CONCURRENCY) - running : 0;
}

function inOrder(a: Head, b: Head): number {
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
