import { type Clock, type Database, fixedStatement, type ToldFailure, toldFailure, type Write } from "@parley/core";
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

const COLUMNS = "id, kind, payload, runs, failures, priority, due_ms, progress, progress_text";
const ADD = `insert into jobs (id, kind, job_key, state, priority, due_ms, payload, kept_payload, schedule_id, trace_id,
  created_ms) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (kind, job_key) where job_key is not null do nothing`;
const KEEP = "payload = coalesce(kept_payload, payload)";
const OF_KEY = "select id from jobs where kind = ? and job_key = ?";
const HEADS = `select id, priority, due_ms from jobs where state = 'waiting' and kind = ?
  order by priority desc, due_ms, id limit ?`;
const CLAIM = `update jobs set state = 'running', runs = runs + 1, lease_owner = ?, lease_until_ms = ?, started_ms = ?
  where state = 'waiting' and id in (select id from jobs where state = 'waiting' and kind = ?
  order by priority desc, due_ms, id limit ?) returning ${COLUMNS}`;
const PROMOTE = `update jobs set state = 'waiting' where state = 'later' and id in
  (select id from jobs where state = 'later' and due_ms <= ? order by due_ms, id limit ?) returning kind`;
const NEXT_DUE = "select min(due_ms) as at_ms from jobs where state = 'later'";
const NEXT_LEASE = "select min(lease_until_ms) as at_ms from jobs where state = 'running' and lease_owner <> ?";
const RENEW =
  "update jobs set lease_until_ms = ? where id = ? and runs = ? and state = 'running' returning cancel_asked";
const GUARD = "update jobs set lease_until_ms = ? where id = ? and runs = ? and state = 'running'";
const PROGRESS = "update jobs set progress = ?, progress_text = ? where id = ? and runs = ? and state = 'running'";
const ENDING = `state = ?, due_ms = coalesce(?, due_ms), failures = failures + ?, lost = 0, lease_owner = null,
  lease_until_ms = null, cancel_asked = 0, progress = ?, progress_text = ?, error_code = ?, error = ?, told = ?, finished_ms = ?
  where id = ? and runs = ? and state = 'running'`;
const END = `update jobs set ${ENDING}`;
const END_FOR_GOOD = `update jobs set ${KEEP}, ${ENDING}`;
const LEFT = "state = 'running' and lease_owner <> ? and lease_until_ms < ?";
const END_LEFT_CANCELED = `update jobs set state = 'canceled', ${KEEP}, lease_owner = null, lease_until_ms = null, cancel_asked = 0,
  finished_ms = ? where ${LEFT} and cancel_asked = 1`;
const END_LEFT_DEAD = `update jobs set state = 'dead', ${KEEP}, lease_owner = null, lease_until_ms = null,
  error_code = ?, error = ?, told = ?, finished_ms = ? where ${LEFT} and lost >= ?`;
const FREE_LEFT = `update jobs set state = 'waiting', lost = lost + 1, lease_owner = null, lease_until_ms = null
  where ${LEFT}`;
const CANCEL_IDLE = `update jobs set state = 'canceled', ${KEEP}, finished_ms = ?
  where id = ? and state in ('later', 'waiting', 'dead')`;
const ASK_CANCEL = "update jobs set cancel_asked = 1 where id = ? and state = 'running'";
const RERUN = `update jobs set state = 'waiting', due_ms = ?, failures = 0, lost = 0, error_code = null, error = null, told = null,
  finished_ms = null where id = ? and state in ('later', 'dead', 'canceled')`;
const FORGET_STARTED = "delete from job_steps where job_id = ? and state = 'started'";
const STEP_OF = "select state, result from job_steps where job_id = ? and name = ?";
const START_STEP = `insert into job_steps (job_id, name, state, started_ms) values (?, ?, 'started', ?)
  on conflict (job_id, name) do nothing`;
const END_STEP = "update job_steps set state = 'done', result = ? where job_id = ? and name = ?";
const DROP_STEP = "delete from job_steps where job_id = ? and name = ? and state = 'started'";
const ADD_LINE = "insert into job_logs (job_id, line, at_ms, text, told) values (?, ?, ?, ?, ?)";
const TRIM_LINES = `delete from job_logs where job_id = ? and line <
  (select min(line) from (select line from job_logs where job_id = ? order by line desc limit ?) as kept)`;
const OLD = `(select id from jobs where finished_ms < ? and (state = 'done' or finished_ms < ?)
  order by finished_ms, id limit ?)`;
const PRUNE = [
  `delete from job_logs where job_id in ${OLD}`,
  `delete from job_steps where job_id in ${OLD}`,
  `delete from jobs where id in ${OLD}`,
];
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
}

export function createJobStore(parts: JobStoreParts): JobStore {
  const { database, clock, owner, isShared, cancelling = () => [] } = parts;
  const one = (text: string, parameters: readonly unknown[], more: Partial<Write> = {}): Write => ({
    query: fixedStatement(text, parameters),
    ...more,
  });
  const write = (...writes: readonly Write[]) => database().write(writes);
  const look = <Row>(text: string, ...parameters: readonly unknown[]) =>
    database().lookup<Row>(fixedStatement<Row>(text, parameters));
  const lease = () => clock.now() + LEASE_MS;
  const guard = ({ id, runs }: RunOf) => one(GUARD, [lease(), id, runs], { expect: 1 });
  const addition = ({ id, kind, key, priority, dueMs, payload, keptPayload, scheduleId, traceId }: NewJob) => {
    const now = clock.now();
    const state: JobState = dueMs > now ? "later" : "waiting";
    const payloads = [payload, keptPayload ?? null];
    const reasons = [scheduleId ?? null, traceId ?? null];
    return one(ADD, [id, kind, key ?? null, state, priority, dueMs, ...payloads, ...reasons, now]);
  };
  const linesOf = ({ id, runs }: RunOf, lines: readonly LogLine[]): readonly Write[] => {
    if (lines.length === 0) return [];
    const line = ({ number, atMs, text, told }: LogLine) =>
      one(ADD_LINE, [id, runs * LINES_OF_A_RUN + number, atMs, text, told]);
    return [...lines.map(line), one(TRIM_LINES, [id, id, MAX_LOG_LINES])];
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
      const [first] = await look<{ id: string }>(OF_KEY, job.kind, job.key);
      if (!first) throw jobFailure("unavailable", "no_job", {}, { retryAfterS: 1 });
      return { jobId: first.id, isNew: false };
    },
    heads: async (kind, most) => (await look<Head>(HEADS, kind, most)).map(withNumbers),
    async claim(wanted) {
      const now = clock.now();
      const claims = [...wanted].map(([kind, count]) => one(CLAIM, [owner, now + LEASE_MS, now, kind, count]));
      const results = await write(...claims);
      return (results.flatMap(({ rows }) => rows) as ClaimedJob[]).map(withNumbers).sort(inOrder);
    },
    async promote() {
      const [result] = await write(one(PROMOTE, [clock.now(), STEP]));
      const kinds = new Set(((result?.rows ?? []) as readonly { kind: string }[]).map(({ kind }) => kind));
      return { kinds: [...kinds], isMore: result?.changes === STEP };
    },
    async nextMs() {
      const times = [await timeIn(NEXT_DUE), isShared() ? await timeIn(NEXT_LEASE, owner) : undefined];
      const known = times.filter((time) => time !== undefined);
      return known.length === 0 ? undefined : Math.min(...known);
    },
    async renew(runs) {
      const until = lease();
      const results = await write(...runs.map(({ id, runs: fence }) => one(RENEW, [until, id, fence])));
      return results.map(({ rows, changes }) => {
        if (changes === 0) return "lost";
        return (rows as { cancel_asked: number }[])[0]?.cancel_asked ? "canceled" : "kept";
      });
    },
    async recover(isAlone) {
      const now = clock.now();
      const left = [owner, isAlone ? Number.MAX_SAFE_INTEGER : now];
      const results = await write(
        one(END_LEFT_CANCELED, [now, ...left]),
        one(END_LEFT_DEAD, [...toldOf(CRASHED), now, ...left, MAX_LOST - 1]),
        one(FREE_LEFT, left),
      );
      return results.reduce((sum, { changes }) => sum + changes, 0);
    },
    async end(run, { state, dueMs, isFailure, progress, text, error }, lines, writes) {
      const isOver = state === "done" || state === "dead" || state === "canceled";
      const told = [progress, text, ...toldOf(error), isOver ? clock.now() : null];
      const given = [state, dueMs ?? null, isFailure ? 1 : 0, ...told, run.id, run.runs];
      const results = await write(
        one(isOver ? END_FOR_GOOD : END, given, { expect: 1 }),
        ...writes,
        ...linesOf(run, lines),
      );
      return results.slice(1, writes.length + 1);
    },
    async note(run, { progress, text }, lines) {
      await write(one(PROGRESS, [progress, text, run.id, run.runs], { expect: 1 }), ...linesOf(run, lines));
    },
    async cancel(id) {
      const [ended, asked] = await write(one(CANCEL_IDLE, [clock.now(), id]), one(ASK_CANCEL, [id]), ...cancelling(id));
      if (ended?.changes === 1) return "canceled";
      return asked?.changes === 1 ? "asked" : "over";
    },
    async rerun(id, forgetsStarted) {
      const forget = forgetsStarted ? [one(FORGET_STARTED, [id], { ifChanged: true })] : [];
      const [changed] = await write(one(RERUN, [clock.now(), id]), ...forget);
      return changed?.changes === 1;
    },
    step: async (jobId, name) => (await look<StepRow>(STEP_OF, jobId, name))[0],
    async startStep(run, name) {
      await write(guard(run), one(START_STEP, [run.id, name, clock.now()], { expect: 1 }));
    },
    async endStep(run, name, result) {
      await write(guard(run), one(END_STEP, [result, run.id, name], { expect: 1 }));
    },
    async dropStep(run, name) {
      await write(guard(run), one(DROP_STEP, [run.id, name]));
    },
    async prune(doneMs, deadMs, most) {
      const [kept] = await look<{ finished_ms: number }>(OLDEST_KEPT, most);
      const before = [Math.max(doneMs, Number(kept?.finished_ms ?? 0)), deadMs, STEP];
      let deleted = 0;
      for (let changes = STEP; changes === STEP; deleted += changes) {
        const results = await write(...PRUNE.map((text) => one(text, before)));
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
