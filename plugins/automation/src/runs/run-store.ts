import { type Database, fixedStatement, type LocalizedError, type Usage, type Write } from "@parley/core";
import { type StoredFailure, toStoredFailure } from "../stored-failures.ts";
import { automationTexts } from "../texts.ts";
import { parseRunRow, parseStepRow } from "./parse-rows.ts";
import { createStateStore, INSERT_STATE_SQL, type StateStore } from "./state-store.ts";
import type { AutomationTables, RunKind, RunStatus, RunTable, RunTrigger, StepState, StepTable } from "./tables.ts";

const BATCH_SIZE = 500;

const CLAIM_SQL = `update automation_states set running_run = ?, last_run = ?, last_nr = last_nr + 1, status = 'running',
  started_ms = ?, finished_ms = null, held_ms = null where id = ? and running_run is null`;
const INSERT_RUN_SQL = `insert into automation_runs (run_id, kind, owner_id, owner_name, nr, status, trigger_kind, order_json, depth,
  created_ms, trace_id, session_id) values (?, ?, ?, ?, (select last_nr from automation_states where id = ?), 'queued', ?, ?, ?,
  ?, ?, ?) on conflict (run_id) do nothing`;
const BEGIN_SQL = `update automation_runs set status = 'running', fence = fence + 1, started_ms = coalesce(started_ms, ?)
  where run_id = ? and status in ('queued', 'running') returning *`;
const FENCE_SQL = "update automation_runs set fence = fence where run_id = ? and fence = ? and status = 'running'";
const END_SQL = `update automation_runs set status = ?, finished_ms = ?, result = ?, error = ?, told = ?, error_code = ?,
  input_tokens = (select coalesce(sum(input_tokens), 0) from automation_steps s where s.run_id = automation_runs.run_id),
  output_tokens = (select coalesce(sum(output_tokens), 0) from automation_steps s where s.run_id = automation_runs.run_id),
  cost = (select sum(cost) from automation_steps s where s.run_id = automation_runs.run_id)
  where run_id = ? and status in ('queued', 'running')`;
const RELEASE_SQL = `update automation_states set running_run = null, status = ?, finished_ms = ?, last_error = ?, told = ?,
  run_count = run_count + 1 where id = (select owner_id from automation_runs where run_id = ?) and running_run = ?`;
const SLEEP_SQL = "update automation_runs set active_ms = ? where run_id = ? and fence = ? and status = 'running'";
const SET_SESSION_SQL = "update automation_runs set session_id = ? where run_id = ?";
const SET_OWNER_SESSION_SQL = "update automation_states set session_id = ? where id = ?";
const CANCEL_SQL = "update automation_runs set cancel_asked = 1 where run_id = ? and status in ('queued', 'running')";
const START_STEP_SQL = `insert into automation_steps (run_id, step_key, nr, name, action, state, is_risky, attempts, input, started_ms)
  values (?, ?, ?, ?, ?, 'started', ?, ?, ?, ?)
  on conflict (run_id, step_key) do update set state = 'started', attempts = excluded.attempts, input = excluded.input,
  error = null, told = null`;
const END_STEP_SQL = `update automation_steps set state = ?, output = ?, hidden = ?, error = ?, told = ?, finished_ms = ?,
  input_tokens = input_tokens + ?, output_tokens = output_tokens + ?, cost = coalesce(cost + ?, cost, ?)
  where run_id = ? and step_key = ?`;
// Without the run's fence, since the run sleeps meanwhile.
const CHOOSE_STEP_SQL = `update automation_steps set state = 'done', output = ?, finished_ms = ?
  where run_id = ? and step_key = ? and state = 'started'`;
const CLEAR_HIDDEN_SQL = "update automation_steps set hidden = null where run_id = ? and hidden is not null";
// A node of 0.2.0 ends jobs without their runs. A later version may have jobs of other kinds, found by id or key.
const END_ORPHANS_SQL = `update automation_runs set status = 'failed', finished_ms = ?, error = ?, told = ?, error_code = ?
  where status in ('queued', 'running') and not exists (select 1 from jobs where state in ('later', 'waiting', 'running')
  and (automation_runs.run_id in (id, job_key) or payload = '{"run_id":"' || automation_runs.run_id || '"}'))`;
const RELEASE_ORPHANS_SQL = `update automation_states set running_run = null, status = 'failed', finished_ms = ?, last_error = ?,
  told = ?, run_count = run_count + 1 where running_run is not null
  and running_run not in (select run_id from automation_runs where status in ('queued', 'running'))`;
const OLD_RUNS_SQL = `(select run_id from automation_runs where created_ms < ? and finished_ms is not null
  order by created_ms, run_id limit ?)`;

export interface NewRun {
  readonly runId: string;
  readonly kind: RunKind;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly trigger: RunTrigger;
  /** The order as JSON. */
  readonly order: string;
  readonly depth: number;
  readonly traceId: string;
  readonly sessionId: string | null;
}

export interface RunEnd {
  readonly status: Exclude<RunStatus, "queued" | "running">;
  readonly result: string;
  readonly error: LocalizedError | null;
}

export interface StepEnd extends StoredFailure {
  readonly state: Exclude<StepState, "started">;
  /** The output as JSON. */
  readonly output: string | null;
  /** The internal data as JSON. */
  readonly hidden: string | null;
  readonly usage?: Usage | undefined;
}

export interface RunQuery {
  readonly owner_id?: string;
  readonly kind?: RunKind;
  readonly status?: RunStatus;
  /** Returns only runs older than the one with this id. */
  readonly before?: string;
  readonly limit: number;
}

/** One start of a run. Its writes fail when the run was started again by another worker. */
export type RunFence = Pick<RunTable, "run_id" | "fence">;

/** Stores runs. Each write of a running run has its fencing number. */
export interface RunStore extends StateStore {
  /** Stores a run and claims its record; rejects with `conflict` if the record has one. Commits `others` with it. */
  add(run: NewRun, nowMs: number, others: readonly Write[]): Promise<readonly unknown[]>;
  find(runId: string): Promise<RunTable | undefined>;
  findByTrace(traceId: string): Promise<RunTable | undefined>;
  begin(runId: string, nowMs: number): Promise<RunTable | undefined>;
  /** Returns the writes that end an open run and release its record. */
  endWrites(runId: string, end: RunEnd, nowMs: number): readonly Write[];
  /** Ends the runs that have no open job. */
  endOrphans(error: LocalizedError, nowMs: number): Promise<void>;
  sleepWrite(run: RunFence, activeMs: number): Write;
  setSession(run: Pick<RunTable, "run_id" | "owner_id">, sessionId: string): Promise<void>;
  /** Notes that the run is to be cancelled; returns false when it has ended. */
  noteCancel(runId: string): Promise<boolean>;
  steps(runId: string): Promise<readonly StepTable[]>;
  startStep(
    run: RunFence,
    step: Omit<StepTable, "run_id" | "state" | "output" | "hidden" | keyof StoredFailure | UsageColumn | "finished_ms">,
  ): Promise<void>;
  endStep(run: RunFence, key: string, end: StepEnd, nowMs: number): Promise<void>;
  /** Returns the newest runs first, and one more than requested if there are more. */
  page(query: RunQuery): Promise<readonly RunTable[]>;
  /** Returns the newest runs of each of these records. */
  listRecent(ownerIds: readonly string[], most: number): Promise<readonly RunTable[]>;
  /** Removes ended runs: those older than `beforeMs`, and the oldest ones beyond about `most`; returns their number. */
  prune(beforeMs: number, most: number): Promise<number>;
}

type UsageColumn = "input_tokens" | "output_tokens" | "cost";

export function createRunStore(database: () => Database): RunStore {
  const tables = () => database().tables<AutomationTables>();
  const statement = (text: string, parameters: readonly unknown[], more: Partial<Write> = {}): Write => ({
    query: fixedStatement(text, parameters),
    ...more,
  });
  const write = async (...writes: readonly Write[]) => database().write(writes);
  const runs = () => tables().selectFrom("automation_runs").selectAll();
  const fenceWrite = ({ run_id, fence }: RunFence) => statement(FENCE_SQL, [run_id, fence], { expect: 1 });
  const find = async (runId: string) => {
    const row = await runs().where("run_id", "=", runId).executeTakeFirst();
    return row && parseRunRow(row);
  };
  return {
    ...createStateStore(database),
    add: (run, nowMs, others) =>
      write(
        statement(INSERT_STATE_SQL, [run.ownerId, run.kind]),
        statement(CLAIM_SQL, [run.runId, run.runId, nowMs, run.ownerId], { expect: 1 }),
        statement(
          INSERT_RUN_SQL,
          [
            run.runId,
            run.kind,
            run.ownerId,
            run.ownerName,
            run.ownerId,
            run.trigger,
            run.order,
            run.depth,
            nowMs,
            run.traceId,
            run.sessionId,
          ],
          { expect: 1 },
        ),
        ...others,
      ).then((results) => results.slice(3)),
    find,
    async findByTrace(traceId) {
      const row = await runs().where("trace_id", "=", traceId).executeTakeFirst();
      return row && parseRunRow(row);
    },
    async begin(runId, nowMs) {
      const [begun] = await write(statement(BEGIN_SQL, [nowMs, runId]));
      const row = begun?.rows[0] as RunTable | undefined;
      return row && parseRunRow(row);
    },
    endWrites(runId, { status, result, error }, nowMs) {
      const ownerStatus = status === "success" ? "success" : "failed";
      const columns = toErrorColumns(error);
      return [
        statement(END_SQL, [status, nowMs, result, ...columns, error?.code ?? null, runId], { expect: 1 }),
        statement(RELEASE_SQL, [ownerStatus, nowMs, ...columns, runId, runId]),
        statement(CLEAR_HIDDEN_SQL, [runId]),
      ];
    },
    async endOrphans(failure, nowMs) {
      const columns = [nowMs, ...toErrorColumns(failure)];
      await write(statement(END_ORPHANS_SQL, [...columns, failure.code]), statement(RELEASE_ORPHANS_SQL, columns));
    },
    sleepWrite: ({ run_id, fence }, activeMs) => statement(SLEEP_SQL, [activeMs, run_id, fence], { expect: 1 }),
    async setSession({ run_id, owner_id }, sessionId) {
      await write(
        statement(SET_SESSION_SQL, [sessionId, run_id]),
        statement(SET_OWNER_SESSION_SQL, [sessionId, owner_id]),
      );
    },
    async noteCancel(runId) {
      const [noted] = await write(statement(CANCEL_SQL, [runId]));
      return noted?.changes === 1;
    },
    async steps(runId) {
      const rows = tables().selectFrom("automation_steps").selectAll().where("run_id", "=", runId).orderBy("nr");
      return (await rows.execute()).map(parseStepRow);
    },
    async startStep(run, { step_key, nr, name, action, is_risky, attempts, input, started_ms }) {
      const values = [run.run_id, step_key, nr, name, action, is_risky, attempts, input, started_ms];
      await write(fenceWrite(run), statement(START_STEP_SQL, values));
    },
    async endStep(run, key, { state, output, hidden, error, told, usage }, nowMs) {
      const cost = usage?.cost ?? null;
      const tokens = [usage?.input_tokens ?? 0, usage?.output_tokens ?? 0, cost, cost];
      await write(
        fenceWrite(run),
        statement(END_STEP_SQL, [state, output, hidden, error, told, nowMs, ...tokens, run.run_id, key], { expect: 1 }),
      );
    },
    async page({ owner_id, kind, status, before, limit }) {
      const after = before === undefined ? undefined : await find(before);
      if (before !== undefined && !after) throw automationTexts.error("bad_request", "no_run", {}, { field: "before" });
      let query = runs().limit(limit + 1);
      if (kind !== undefined) query = query.where("kind", "=", kind);
      if (status !== undefined) query = query.where("status", "=", status);
      if (owner_id !== undefined) {
        query = query.where("owner_id", "=", owner_id).orderBy("nr", "desc");
        if (after) query = query.where("nr", "<", after.nr);
        return (await query.execute()).map(parseRunRow);
      }
      query = query.orderBy("created_ms", "desc").orderBy("run_id", "desc");
      if (after) {
        const { created_ms, run_id } = after;
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple("created_ms", "run_id"), "<", tuple(created_ms, run_id)),
        );
      }
      return (await query.execute()).map(parseRunRow);
    },
    async listRecent(ownerIds, most) {
      const found: RunTable[] = [];
      for (let at = 0; at < ownerIds.length; at += BATCH_SIZE) {
        const some = tables()
          .selectFrom("automation_states as state")
          .innerJoin("automation_runs as run", (join) =>
            join
              .onRef("run.owner_id", "=", "state.id")
              .on(({ eb }) => eb("run.nr", ">", eb("state.last_nr", "-", most))),
          )
          .selectAll("run")
          .where("state.id", "in", ownerIds.slice(at, at + BATCH_SIZE))
          .orderBy("run.nr", "desc");
        found.push(...(await some.execute()).map(parseRunRow));
      }
      return found;
    },
    async prune(beforeMs, most) {
      const oldestStored = await tables()
        .selectFrom("automation_runs")
        .select("created_ms")
        .orderBy("created_ms", "desc")
        .orderBy("run_id", "desc")
        .offset(most)
        .limit(1)
        .executeTakeFirst();
      const before = Math.max(beforeMs, Number(oldestStored?.created_ms ?? 0));
      let deleted = 0;
      for (let changes = BATCH_SIZE; changes === BATCH_SIZE; deleted += changes) {
        const results = await write(
          statement(`delete from automation_steps where run_id in ${OLD_RUNS_SQL}`, [before, BATCH_SIZE]),
          statement(`delete from automation_runs where run_id in ${OLD_RUNS_SQL}`, [before, BATCH_SIZE]),
        );
        changes = results.at(-1)?.changes ?? 0;
      }
      return deleted;
    },
  };
}

/** Creates the write that ends a waiting step with a person's choice; it changes nothing when the step has ended. */
export function createChoiceWrite(runId: string, key: string, choice: string, nowMs: number): Write {
  return { query: fixedStatement(CHOOSE_STEP_SQL, [JSON.stringify(choice), nowMs, runId, key]) };
}

/** Returns the values of the columns of an error. */
function toErrorColumns(failure: LocalizedError | null): readonly (string | null)[] {
  const { error, told } = toStoredFailure(failure);
  return [error, told];
}
