import {
  AppError,
  type Clock,
  type Database,
  type Effect,
  fixedStatement,
  type ToldFailure,
  tellApplied,
  toldFailure,
  type Write,
  writesOf,
} from "@parley/core";
import { type EndingJob, isOver, type JobEnds } from "./job-ends.ts";
import * as sql from "./job-sql.ts";
import { jobFailure } from "./said-failures.ts";
import type { JobState, JobTable } from "./tables.ts";

export const LEASE_MS = 15_000;
/** Runs that end with their process, one after another, before the job is held to be the reason. */
const MAX_LOST = 3;
const STEP = 1_000;
const MAX_LOG_LINES = 500;
const LINES_OF_A_RUN = 1_000_000_000;
const CRASHED: ToldFailure = { ...toldFailure(jobFailure("internal", "crash_loop")), code: "crash_loop" };

export interface NewJob {
  readonly id: string;
  readonly kind: string;
  readonly key: string | undefined;
  readonly priority: number;
  readonly dueMs: number;
  /** JSON. */
  readonly payload: string;
  /** What is left of the payload once the job is over. Default: all of it. */
  readonly keptPayload?: string | undefined;
  readonly scheduleId?: string | undefined;
  readonly traceId?: string | undefined;
}

/** A job that was taken for a run. */
export type ClaimedJob = Pick<
  JobTable,
  "id" | "kind" | "payload" | "runs" | "failures" | "priority" | "due_ms" | "progress" | "progress_text"
>;

/** A job that waits for a place. */
export type Head = Pick<JobTable, "id" | "priority" | "due_ms">;

interface LeftJob extends EndingJob, RunOf {
  readonly cancel_asked: number;
}

/** The run that has a job. */
export type RunOf = Pick<JobTable, "id" | "runs">;

export interface JobProgress {
  /** In thousandths. */
  readonly progress: number | null;
  readonly text: string;
}

export interface JobEnd extends JobProgress {
  readonly state: JobState;
  /** Of one that is tried again. */
  readonly dueMs?: number;
  /** True: the try failed. */
  readonly isFailure?: boolean;
  readonly error?: ToldFailure;
}

export interface LogLine {
  readonly number: number;
  readonly atMs: number;
  readonly text: string;
  readonly told: string | null;
}

export type StepRow = { readonly state: "started" | "done"; readonly result: string | null };

const OLDEST_KEPT =
  "select finished_ms from jobs where finished_ms is not null order by finished_ms desc limit 1 offset ?";

/** The durable side of jobs. Every change of a run carries its fencing number: another run's makes it void. */
export interface JobStore {
  addition(job: NewJob): Write;
  /** Stores it, or finds the one of its key. */
  add(job: NewJob): Promise<{ readonly jobId: string; readonly isNew: boolean }>;
  /** What would run first, without taking it. */
  heads(kind: string, most: number): Promise<readonly Head[]>;
  /** Takes the first `count` of each kind, in one transaction; in the order in which they run. */
  claim(wanted: ReadonlyMap<string, number>): Promise<readonly ClaimedJob[]>;
  /** Those whose time has come wait for a place from now on; gives their kinds, and whether more are left. */
  promote(): Promise<{ readonly kinds: readonly string[]; readonly isMore: boolean }>;
  /** When the next one falls due, or the lease of another process ends. */
  nextMs(): Promise<number | undefined>;
  /** Of each run whether it still has its job, and whether somebody wants it to end. */
  renew(runs: readonly RunOf[]): Promise<readonly ("kept" | "lost" | "canceled")[]>;
  /** Takes what other processes left: with `isAlone` whatever runs, else what runs longer than its lease. */
  recover(isAlone: boolean): Promise<number>;
  /** The end of a run, with what belongs to it; `conflict` when somebody else has the job. Gives what each of `writes` gave. */
  end(run: RunOf, end: JobEnd, lines: readonly LogLine[], writes: readonly Write[]): ReturnType<Database["write"]>;
  /** Shows how far a run is. */
  note(run: RunOf, progress: JobProgress, lines: readonly LogLine[]): Promise<void>;
  /** What became of it: ended at once, or asked to end. */
  cancel(id: string): Promise<"canceled" | "asked" | "over">;
  /** True: it waits, and runs now. */
  rerun(id: string, forgetsStarted: boolean): Promise<boolean>;
  step(jobId: string, name: string): Promise<StepRow | undefined>;
  startStep(run: RunOf, name: string): Promise<void>;
  endStep(run: RunOf, name: string, result: string): Promise<void>;
  /** The step did not happen. */
  dropStep(run: RunOf, name: string): Promise<void>;
  /** Deletes what was done before `doneMs` and what was given up before `deadMs`, and of more than `most` the oldest. */
  prune(doneMs: number, deadMs: number, most: number): Promise<number>;
}

export interface JobStoreParts {
  readonly database: () => Database;
  readonly clock: Clock;
  /** Names this process in leases. */
  readonly owner: string;
  /** Others may work on the same rows. */
  readonly isShared: () => boolean;
  /** Tells the process that runs it that somebody wants it to end. */
  readonly cancelling?: (jobId: string) => readonly Write[];
  readonly ends?: JobEnds;
}

const NO_ENDS: JobEnds = { kinds: () => [], of: () => [] };

export function createJobStore(parts: JobStoreParts): JobStore {
  const { database, clock, owner, isShared, cancelling = () => [], ends = NO_ENDS } = parts;
  const one = (text: string, parameters: readonly unknown[], more: Partial<Write> = {}): Write => ({
    query: fixedStatement(text, parameters),
    ...more,
  });
  const write = (...writes: readonly Write[]) => database().write(writes);
  const look = <Row>(text: string, ...parameters: readonly unknown[]) =>
    database().lookup<Row>(fixedStatement<Row>(text, parameters));
  const lease = () => clock.now() + LEASE_MS;
  const guard = ({ id, runs }: RunOf) => one(sql.GUARD, [lease(), id, runs], { expect: 1 });
  const addition = ({ id, kind, key, priority, dueMs, payload, keptPayload, scheduleId, traceId }: NewJob) => {
    const now = clock.now();
    const state: JobState = dueMs > now ? "later" : "waiting";
    const payloads = [payload, keptPayload ?? null];
    const reasons = [scheduleId ?? null, traceId ?? null];
    return one(sql.ADD, [id, kind, key ?? null, state, priority, dueMs, ...payloads, ...reasons, now]);
  };
  const linesOf = ({ id, runs }: RunOf, lines: readonly LogLine[]): readonly Write[] => {
    if (lines.length === 0) return [];
    const line = ({ number, atMs, text, told }: LogLine) =>
      one(sql.ADD_LINE, [id, runs * LINES_OF_A_RUN + number, atMs, text, told]);
    return [...lines.map(line), one(sql.TRIM_LINES, [id, id, MAX_LOG_LINES])];
  };
  /** Each with what belongs to its end, or not at all where somebody else has it by then. */
  const endTogether = async (ending: Write, effects: readonly Effect[]) => {
    try {
      const results = await write({ ...ending, expect: 1 }, ...writesOf(effects));
      tellApplied(effects, results.slice(1));
      return true;
    } catch (error) {
      if (!AppError.is(error) || error.code !== "conflict") throw error;
      return false;
    }
  };
  const endLeft = async (now: number, left: readonly unknown[]) => {
    const kinds = ends.kinds();
    if (kinds.length === 0) return 0;
    const some = ` and kind in (${kinds.map(() => "?").join(", ")})`;
    const found = await look<LeftJob>(sql.LEFT_OVER + some, ...left, MAX_LOST - 1, ...kinds);
    let ended = 0;
    for (const job of found) {
      const ofRun = [job.id, job.runs];
      const isDone = job.cancel_asked
        ? await endTogether(
            one(sql.END_LEFT_CANCELED + sql.THIS_RUN, [now, ...left, ...ofRun]),
            ends.of(job, "canceled"),
          )
        : await endTogether(
            one(sql.END_LEFT_DEAD + sql.THIS_RUN, [...toldOf(CRASHED), now, ...left, MAX_LOST - 1, ...ofRun]),
            ends.of(job, "dead", CRASHED),
          );
      if (isDone) ended += 1;
    }
    return ended;
  };
  const timeIn = async (text: string, ...parameters: readonly unknown[]) => {
    const [row] = await look<{ at_ms: number | null }>(text, ...parameters);
    return row?.at_ms === null || row === undefined ? undefined : Number(row.at_ms);
  };

  return {
    addition,
    async add(job) {
      const [added] = await write(addition(job));
      if (added?.changes === 1) return { jobId: job.id, isNew: true };
      const [first] = await look<{ id: string }>(sql.OF_KEY, job.kind, job.key);
      if (!first) throw jobFailure("unavailable", "no_job", {}, { retryAfterS: 1 });
      return { jobId: first.id, isNew: false };
    },
    heads: async (kind, most) => (await look<Head>(sql.HEADS, kind, most)).map(withNumbers),
    async claim(wanted) {
      const now = clock.now();
      const claims = [...wanted].map(([kind, count]) => one(sql.CLAIM, [owner, now + LEASE_MS, now, kind, count]));
      const results = await write(...claims);
      return (results.flatMap(({ rows }) => rows) as ClaimedJob[]).map(withNumbers).sort(inOrder);
    },
    async promote() {
      const [result] = await write(one(sql.PROMOTE, [clock.now(), STEP]));
      const kinds = new Set(((result?.rows ?? []) as readonly { kind: string }[]).map(({ kind }) => kind));
      return { kinds: [...kinds], isMore: result?.changes === STEP };
    },
    async nextMs() {
      const times = [await timeIn(sql.NEXT_DUE), isShared() ? await timeIn(sql.NEXT_LEASE, owner) : undefined];
      const known = times.filter((time) => time !== undefined);
      return known.length === 0 ? undefined : Math.min(...known);
    },
    async renew(runs) {
      const until = lease();
      const results = await write(...runs.map(({ id, runs: fence }) => one(sql.RENEW, [until, id, fence])));
      return results.map(({ rows, changes }) => {
        if (changes === 0) return "lost";
        return (rows as { cancel_asked: number }[])[0]?.cancel_asked ? "canceled" : "kept";
      });
    },
    async recover(isAlone) {
      const now = clock.now();
      const left = [owner, isAlone ? Number.MAX_SAFE_INTEGER : now];
      const told = await endLeft(now, left);
      const others = ends.kinds();
      const not = others.length === 0 ? "" : ` and kind not in (${others.map(() => "?").join(", ")})`;
      const results = await write(
        one(sql.END_LEFT_CANCELED + not, [now, ...left, ...others]),
        one(sql.END_LEFT_DEAD + not, [...toldOf(CRASHED), now, ...left, MAX_LOST - 1, ...others]),
        one(sql.FREE_LEFT, left),
      );
      return results.reduce((sum, { changes }) => sum + changes, told);
    },
    async end(run, { state, dueMs, isFailure, progress, text, error }, lines, writes) {
      const told = [progress, text, ...toldOf(error), isOver(state) ? clock.now() : null];
      const given = [state, dueMs ?? null, isFailure ? 1 : 0, ...told, run.id, run.runs];
      const results = await write(
        one(isOver(state) ? sql.END_FOR_GOOD : sql.END, given, { expect: 1 }),
        ...writes,
        ...linesOf(run, lines),
      );
      return results.slice(1, writes.length + 1);
    },
    async note(run, { progress, text }, lines) {
      await write(one(sql.PROGRESS, [progress, text, run.id, run.runs], { expect: 1 }), ...linesOf(run, lines));
    },
    async cancel(id) {
      const [job] = await look<EndingJob>(sql.ENDING_JOB, id);
      const effects = job ? ends.of(job, "canceled") : [];
      // One that ran, and was set free before it could be asked, waits again.
      for (let turn = 0; turn < 2; turn += 1) {
        if (await endTogether(one(sql.CANCEL_IDLE, [clock.now(), id]), effects)) return "canceled";
        const [asked] = await write(one(sql.ASK_CANCEL, [id]), ...cancelling(id));
        if (asked?.changes === 1) return "asked";
      }
      return "over";
    },
    async rerun(id, forgetsStarted) {
      const forget = forgetsStarted ? [one(sql.FORGET_STARTED, [id], { ifChanged: true })] : [];
      const [changed] = await write(one(sql.RERUN, [clock.now(), id]), ...forget);
      return changed?.changes === 1;
    },
    step: async (jobId, name) => (await look<StepRow>(sql.STEP_OF, jobId, name))[0],
    async startStep(run, name) {
      await write(guard(run), one(sql.START_STEP, [run.id, name, clock.now()], { expect: 1 }));
    },
    async endStep(run, name, result) {
      await write(guard(run), one(sql.END_STEP, [result, run.id, name], { expect: 1 }));
    },
    async dropStep(run, name) {
      await write(guard(run), one(sql.DROP_STEP, [run.id, name]));
    },
    async prune(doneMs, deadMs, most) {
      const [kept] = await look<{ finished_ms: number }>(OLDEST_KEPT, most);
      const before = [Math.max(doneMs, Number(kept?.finished_ms ?? 0)), deadMs, STEP];
      let deleted = 0;
      for (let changes = STEP; changes === STEP; deleted += changes) {
        const results = await write(...sql.PRUNE.map((text) => one(text, before)));
        changes = results.at(-1)?.changes ?? 0;
      }
      return deleted;
    },
  };
}

/** The columns that say why it failed. */
function toldOf(error: ToldFailure | undefined): readonly (string | null)[] {
  return [error?.code ?? null, error?.error ?? null, error?.detail ? JSON.stringify(error) : null];
}

function inOrder(a: Head, b: Head): number {
  return b.priority - a.priority || a.due_ms - b.due_ms || (a.id < b.id ? -1 : 1);
}

/** 64-bit numbers come as texts from some engines. */
function withNumbers<Row extends Head>(row: Row): Row {
  return { ...row, due_ms: Number(row.due_ms) };
}
