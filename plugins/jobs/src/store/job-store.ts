import {
  AppError,
  type Clock,
  collectWrites,
  type Database,
  type Effect,
  fixedStatement,
  type LocalizedError,
  notifyApplied,
  toLocalizedError,
  type Write,
} from "@parley/core";
import { type EndingJob, isFinished, type JobEndEffects } from "../run/job-end-effects.ts";
import { jobsTexts } from "../texts.ts";
import * as sql from "./job-sql.ts";
import { type NewJob, toAddWrite, toAddWrites } from "./new-job.ts";
import type { JobState, JobTable } from "./tables.ts";

export const LEASE_MS = 15_000;
/** Consecutive process crashes during a job before it counts as their cause. */
const MAX_CRASHES = 3;
const BATCH_SIZE = 1_000;
const MAX_LOG_LINES = 500;
const LINES_PER_RUN = 1_000_000_000;
const CRASH_LOOP_ERROR: LocalizedError = {
  ...toLocalizedError(jobsTexts.error("internal", "crash_loop")),
  code: "crash_loop",
};

/** A job claimed for a run. */
export type ClaimedJob = Pick<
  JobTable,
  | "id"
  | "kind"
  | "payload"
  | "runs"
  | "failures"
  | "priority"
  | "due_ms"
  | "progress"
  | "progress_text"
  | "cancel_asked"
>;

/** A job that waits for a free slot. */
export type JobHead = Pick<JobTable, "id" | "priority" | "due_ms">;

interface AbandonedJob extends EndingJob, RunRef {
  readonly cancel_asked: number;
}

/** Identifies the run that owns a job. */
export type RunRef = Pick<JobTable, "id" | "runs">;

export interface JobProgress {
  /** Progress in thousandths. */
  readonly progress: number | null;
  readonly text: string;
}

export interface JobEnd extends JobProgress {
  readonly state: JobState;
  /** Due time of a retry, or end of a sleep. */
  readonly dueMs?: number;
  /** True when the attempt failed. */
  readonly isFailure?: boolean;
  readonly error?: LocalizedError;
}

export interface LogLine {
  readonly number: number;
  readonly atMs: number;
  readonly text: string;
  readonly told: string | null;
}

export type StepRow = { readonly state: "started" | "done"; readonly result: string | null };

const SELECT_OLDEST_FINISHED =
  "select finished_ms from jobs where finished_ms is not null order by finished_ms desc limit 1 offset ?";

/** Storage of jobs. Every write of a run carries its fencing number, and is rejected once another run has started. */
export interface JobStore {
  toAddWrite(job: NewJob): Write;
  /** Returns the writes that store a job or move the waiting one with its key; the last one changes a row if the job is new. */
  toAddWrites(job: NewJob): readonly Write[];
  /** Stores the job, or returns the id of the one that has its key. */
  add(job: NewJob): Promise<{ readonly jobId: string; readonly isNew: boolean }>;
  /** Returns the next jobs to run, without claiming them. */
  listHeads(kind: string, most: number): Promise<readonly JobHead[]>;
  /** Claims the first jobs of each kind, as many as `wanted` says, in one transaction; returned in running order. */
  claim(wanted: ReadonlyMap<string, number>): Promise<readonly ClaimedJob[]>;
  /** Queues the jobs that are due; returns their kinds, and true in `isMore` when more remain. */
  promote(): Promise<{ readonly kinds: readonly string[]; readonly isMore: boolean }>;
  /** Returns the next time at which a job is due or the lease of another process ends. */
  findNextMs(): Promise<number | undefined>;
  /** Renews the leases; returns for each run whether it still owns its job, or is asked to end. */
  renew(runs: readonly RunRef[]): Promise<readonly ("kept" | "lost" | "canceled")[]>;
  /** Recovers jobs of other processes: with `isAlone` all running ones, else those past their lease. Returns their count. */
  recover(isAlone: boolean): Promise<number>;
  /** Stores the end of a run with its writes; `conflict` when another process has the job. Returns the results of `writes`. */
  end(run: RunRef, end: JobEnd, lines: readonly LogLine[], writes: readonly Write[]): ReturnType<Database["write"]>;
  saveProgress(run: RunRef, progress: JobProgress, lines: readonly LogLine[]): Promise<void>;
  /** Cancels a job at once, or asks its run to end; returns which. */
  cancel(id: string): Promise<"canceled" | "asked" | "over">;
  /** Queues a job to run now; resolves to false when it has changed. */
  rerun(id: string, forgetsStarted: boolean): Promise<boolean>;
  findStep(jobId: string, name: string): Promise<StepRow | undefined>;
  startStep(run: RunRef, name: string): Promise<void>;
  endStep(run: RunRef, name: string, result: string): Promise<void>;
  /** Deletes a started step that did not happen. */
  dropStep(run: RunRef, name: string): Promise<void>;
  /** Deletes jobs done before `doneMs` or dead before `deadMs`, and the oldest beyond `most`. Returns their count. */
  prune(doneMs: number, deadMs: number, most: number): Promise<number>;
}

export interface JobStoreDeps {
  readonly database: () => Database;
  readonly clock: Clock;
  /** Names this process in leases. */
  readonly owner: string;
  /** Returns true when other processes may use the same rows. */
  readonly isShared: () => boolean;
  /** Returns the writes that signal a cancellation to the process running the job. */
  readonly toCancelWrites?: (jobId: string) => readonly Write[];
  readonly endEffects?: JobEndEffects;
}

const NO_END_EFFECTS: JobEndEffects = { kinds: () => [], getEffects: () => [] };

export function createJobStore(deps: JobStoreDeps): JobStore {
  const { database, clock, owner, isShared, toCancelWrites = () => [], endEffects = NO_END_EFFECTS } = deps;
  const toWrite = (text: string, parameters: readonly unknown[], more: Partial<Write> = {}): Write => ({
    query: fixedStatement(text, parameters),
    ...more,
  });
  const write = (...writes: readonly Write[]) => database().write(writes);
  const lookUp = <Row>(text: string, ...parameters: readonly unknown[]) =>
    database().lookup<Row>(fixedStatement<Row>(text, parameters));
  const newLeaseUntil = () => clock.now() + LEASE_MS;
  const guard = ({ id, runs }: RunRef) => toWrite(sql.GUARD_RUN, [newLeaseUntil(), id, runs], { expect: 1 });
  const toLogWrites = ({ id, runs }: RunRef, lines: readonly LogLine[]): readonly Write[] => {
    if (lines.length === 0) return [];
    const line = ({ number, atMs, text, told }: LogLine) =>
      toWrite(sql.ADD_LINE, [id, runs * LINES_PER_RUN + number, atMs, text, told]);
    return [...lines.map(line), toWrite(sql.TRIM_LINES, [id, id, MAX_LOG_LINES])];
  };
  /** Ends each job with its effects, or not at all when another process has it by then. */
  const endTogether = async (ending: Write, effects: readonly Effect[]) => {
    try {
      const results = await write({ ...ending, expect: 1 }, ...collectWrites(effects));
      notifyApplied(effects, results.slice(1));
      return true;
    } catch (error) {
      if (!AppError.is(error) || error.code !== "conflict") throw error;
      return false;
    }
  };
  const endAbandoned = async (now: number, lease: readonly unknown[]) => {
    const kinds = endEffects.kinds();
    if (kinds.length === 0) return 0;
    const some = ` and kind in (${kinds.map(() => "?").join(", ")})`;
    const found = await lookUp<AbandonedJob>(sql.READ_ABANDONED + some, ...lease, MAX_CRASHES - 1, ...kinds);
    let ended = 0;
    for (const job of found) {
      const ofRun = [job.id, job.runs];
      const isDone = job.cancel_asked
        ? await endTogether(
            toWrite(sql.CANCEL_ABANDONED + sql.AND_THIS_RUN, [now, ...lease, ...ofRun]),
            endEffects.getEffects(job, "canceled"),
          )
        : await endTogether(
            toWrite(sql.FAIL_ABANDONED + sql.AND_THIS_RUN, [
              ...toErrorColumns(CRASH_LOOP_ERROR),
              now,
              ...lease,
              MAX_CRASHES - 1,
              ...ofRun,
            ]),
            endEffects.getEffects(job, "dead", CRASH_LOOP_ERROR),
          );
      if (isDone) ended += 1;
    }
    return ended;
  };
  const findTime = async (text: string, ...parameters: readonly unknown[]) => {
    const [row] = await lookUp<{ at_ms: number | null }>(text, ...parameters);
    return row?.at_ms === null || row === undefined ? undefined : Number(row.at_ms);
  };

  return {
    toAddWrite: (job) => toAddWrite(job, clock.now()),
    toAddWrites: (job) => toAddWrites(job, clock.now()),
    async add(job) {
      const added = (await write(...toAddWrites(job, clock.now()))).at(-1);
      if (added?.changes === 1) return { jobId: job.id, isNew: true };
      const [first] = await lookUp<{ id: string }>(sql.FIND_BY_KEY, job.kind, job.key);
      if (!first) throw jobsTexts.error("unavailable", "no_job", {}, { retryAfterS: 1 });
      return { jobId: first.id, isNew: false };
    },
    listHeads: async (kind, most) => (await lookUp<JobHead>(sql.READ_HEADS, kind, most)).map(toNumericHead),
    async claim(wanted) {
      const now = clock.now();
      const claims = [...wanted].map(([kind, count]) =>
        toWrite(sql.CLAIM_JOBS, [owner, now + LEASE_MS, now, kind, count]),
      );
      const results = await write(...claims);
      return (results.flatMap(({ rows }) => rows) as ClaimedJob[]).map(toNumericHead).sort(compareHeads);
    },
    async promote() {
      const [result] = await write(toWrite(sql.PROMOTE, [clock.now(), BATCH_SIZE]));
      const kinds = new Set(((result?.rows ?? []) as readonly { kind: string }[]).map(({ kind }) => kind));
      return { kinds: [...kinds], isMore: result?.changes === BATCH_SIZE };
    },
    async findNextMs() {
      const times = [await findTime(sql.NEXT_DUE), isShared() ? await findTime(sql.NEXT_LEASE, owner) : undefined];
      const known = times.filter((time) => time !== undefined);
      return known.length === 0 ? undefined : Math.min(...known);
    },
    async renew(runs) {
      const until = newLeaseUntil();
      const results = await write(...runs.map(({ id, runs: fence }) => toWrite(sql.RENEW, [until, id, fence])));
      return results.map(({ rows, changes }) => {
        if (changes === 0) return "lost";
        return (rows as { cancel_asked: number }[])[0]?.cancel_asked ? "canceled" : "kept";
      });
    },
    async recover(isAlone) {
      const now = clock.now();
      const lease = [owner, isAlone ? Number.MAX_SAFE_INTEGER : now];
      const endedCount = await endAbandoned(now, lease);
      const others = endEffects.kinds();
      const not = others.length === 0 ? "" : ` and kind not in (${others.map(() => "?").join(", ")})`;
      const results = await write(
        toWrite(sql.CANCEL_ABANDONED + not, [now, ...lease, ...others]),
        toWrite(sql.FAIL_ABANDONED + not, [
          ...toErrorColumns(CRASH_LOOP_ERROR),
          now,
          ...lease,
          MAX_CRASHES - 1,
          ...others,
        ]),
        toWrite(sql.RELEASE_ABANDONED, lease),
      );
      return results.reduce((sum, { changes }) => sum + changes, endedCount);
    },
    async end(run, { state, dueMs, isFailure, progress, text, error }, lines, writes) {
      const values = [progress, text, ...toErrorColumns(error), isFinished(state) ? clock.now() : null];
      const given = [state, dueMs ?? null, isFailure ? 1 : 0, ...values, run.id, run.runs];
      const results = await write(
        toWrite(isFinished(state) ? sql.END_FINISHED : sql.END_RUN, given, { expect: 1 }),
        ...writes,
        ...toLogWrites(run, lines),
      );
      return results.slice(1, writes.length + 1);
    },
    async saveProgress(run, { progress, text }, lines) {
      await write(toWrite(sql.PROGRESS, [progress, text, run.id, run.runs], { expect: 1 }), ...toLogWrites(run, lines));
    },
    async cancel(id) {
      const [job] = await lookUp<EndingJob>(sql.READ_ENDING_JOB, id);
      const effects = job ? endEffects.getEffects(job, "canceled") : [];
      // A job that was released before it could be cancelled is waiting again, so the cancellation is repeated.
      for (let attempt = 0; attempt < 2; attempt += 1) {
        if (await endTogether(toWrite(sql.CANCEL_IDLE, [clock.now(), id]), effects)) return "canceled";
        const [asked] = await write(toWrite(sql.REQUEST_CANCEL, [id]), ...toCancelWrites(id));
        if (asked?.changes === 1) return "asked";
      }
      return "over";
    },
    async rerun(id, forgetsStarted) {
      const forget = forgetsStarted ? [toWrite(sql.FORGET_STARTED, [id], { ifChanged: true })] : [];
      const [changed] = await write(toWrite(sql.RERUN, [clock.now(), id]), ...forget);
      return changed?.changes === 1;
    },
    findStep: async (jobId, name) => (await lookUp<StepRow>(sql.READ_STEP, jobId, name))[0],
    async startStep(run, name) {
      await write(guard(run), toWrite(sql.START_STEP, [run.id, name, clock.now()], { expect: 1 }));
    },
    async endStep(run, name, result) {
      await write(guard(run), toWrite(sql.END_STEP, [result, run.id, name], { expect: 1 }));
    },
    async dropStep(run, name) {
      await write(guard(run), toWrite(sql.DROP_STEP, [run.id, name]));
    },
    async prune(doneMs, deadMs, most) {
      const [oldest] = await lookUp<{ finished_ms: number }>(SELECT_OLDEST_FINISHED, most);
      const before = [Math.max(doneMs, Number(oldest?.finished_ms ?? 0)), deadMs, BATCH_SIZE];
      let deleted = 0;
      for (let changes = BATCH_SIZE; changes === BATCH_SIZE; deleted += changes) {
        const results = await write(...sql.PRUNE.map((text) => toWrite(text, before)));
        changes = results.at(-1)?.changes ?? 0;
      }
      return deleted;
    },
  };
}

function toErrorColumns(error: LocalizedError | undefined): readonly (string | null)[] {
  return [error?.code ?? null, error?.error ?? null, error?.detail ? JSON.stringify(error) : null];
}

function compareHeads(a: JobHead, b: JobHead): number {
  return b.priority - a.priority || a.due_ms - b.due_ms || (a.id < b.id ? -1 : 1);
}

/** Some engines return 64-bit numbers as text. */
function toNumericHead<Row extends JobHead>(row: Row): Row {
  return { ...row, due_ms: Number(row.due_ms) };
}
