import { type Database, fixedStatement, type Write } from "@parley/core";
import { type List, mapItems, type Page } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import type { ScheduleTable, Tables } from "./tables.ts";

const BATCH_SIZE = 100;
// Only one run of a schedule at a time: its earlier job must have ended.
const HAS_NO_OPEN_RUN = `not exists (select 1 from jobs where jobs.schedule_id = schedules.id
  and jobs.state in ('later', 'waiting', 'running'))`;
// Of several processes with the same planned time, only one succeeds.
const FIRE = `update schedules set next_ms = ?, enabled = ?, last_ms = ?, last_job_id = ?, run_count = run_count + 1
  where id = ? and next_ms = ? and ${HAS_NO_OPEN_RUN}`;
const SKIP = `update schedules set next_ms = ?, enabled = ?, skipped_count = skipped_count + 1
  where id = ? and next_ms = ?`;
const RUN_NOW = `update schedules set last_job_id = ?, run_count = run_count + 1 where id = ? and ${HAS_NO_OPEN_RUN}`;
const PUT = `insert into schedules (id, kind, payload, cron, every_ms, at_ms, timezone, enabled, made_up_within_ms, next_ms,
  created_ms) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (id) do update set kind = excluded.kind, payload = excluded.payload, cron = excluded.cron,
  every_ms = excluded.every_ms, at_ms = excluded.at_ms, timezone = excluded.timezone, enabled = excluded.enabled,
  made_up_within_ms = excluded.made_up_within_ms, next_ms = excluded.next_ms`;
const UPDATE_KIND = "update schedules set kind = ?, payload = ?, made_up_within_ms = ? where id = ?";
const SWITCH = "update schedules set enabled = ?, next_ms = ? where id = ?";
const SET_NEXT = "update schedules set next_ms = ? where id = ? and next_ms = ?";
const REMOVE = "delete from schedules where id = ?";
const NEXT = "select min(next_ms) as at_ms from schedules where next_ms is not null";

/** The time after a planned one; null when there is none. */
export interface NextTime {
  readonly id: string;
  readonly plannedMs: number;
  readonly nextMs: number | null;
}

/** The durable side of schedules. */
export interface ScheduleStore {
  find(id: string): Promise<ScheduleTable | undefined>;
  findMany(ids: readonly string[]): Promise<readonly ScheduleTable[]>;
  page(page: Page): Promise<List<ScheduleTable>>;
  /** Returns due schedules, longest overdue first. */
  listDue(nowMs: number): Promise<readonly ScheduleTable[]>;
  /** Returns schedules that use the time zone setting. */
  listWithoutZone(): Promise<readonly ScheduleTable[]>;
  findNextMs(): Promise<number | undefined>;
  /** Stores a schedule in one transaction with `beside`. */
  put(row: ScheduleTable, beside: readonly Write[]): Promise<void>;
  /** Updates kind and payload; timing and next time stay. */
  updateKind(row: Pick<ScheduleTable, "id" | "kind" | "payload" | "made_up_within_ms">): Promise<void>;
  /** Adds the job of a planned time and advances to the next time; skips it while the previous run has not ended. Returns true when the job was added here. */
  fire(following: NextTime, forMs: number, jobId: string, addition: Write): Promise<boolean>;
  /** Advances to the next time without a job. */
  skip(following: NextTime): Promise<void>;
  /** Adds a job besides the planned ones; returns false while a job of the schedule has not ended. */
  runNow(id: string, jobId: string, addition: Write): Promise<boolean>;
  switch(id: string, isEnabled: boolean, nextMs: number | null): Promise<void>;
  setNext(following: NextTime): Promise<void>;
  remove(id: string): Promise<boolean>;
}

/** Creates the schedule store; `scheduleWrites` signals a changed next time to other processes. */
export function createScheduleStore(
  database: () => Database,
  toScheduleChangeWrites: (id: string) => readonly Write[],
): ScheduleStore {
  const tables = () => database().tables<Tables>();
  const toWrite = (text: string, ...parameters: readonly unknown[]): Write => ({
    query: fixedStatement(text, parameters),
  });
  const rows = () => tables().selectFrom("schedules").selectAll();
  const isOn = (nextMs: number | null) => (nextMs === null ? 0 : 1);
  return {
    async find(id) {
      const row = await rows().where("id", "=", id).executeTakeFirst();
      return row && toNumericRow(row);
    },
    async findMany(ids) {
      const found: ScheduleTable[] = [];
      for (let at = 0; at < ids.length; at += BATCH_SIZE) {
        found.push(
          ...(await rows()
            .where("id", "in", ids.slice(at, at + BATCH_SIZE))
            .execute()),
        );
      }
      return found.map(toNumericRow);
    },
    async page(page) {
      const all = tables().selectFrom("schedules");
      return mapItems(await readPage(all, page, (one) => one.selectAll().orderBy("id")), toNumericRow);
    },
    async listDue(nowMs) {
      const due = rows().where("next_ms", "<=", nowMs).orderBy("next_ms").orderBy("id").limit(BATCH_SIZE);
      return (await due.execute()).map(toNumericRow);
    },
    async listWithoutZone() {
      const own = rows().where("next_ms", "is not", null).where("cron", "is not", null).where("timezone", "is", null);
      return (await own.orderBy("id").execute()).map(toNumericRow);
    },
    async findNextMs() {
      const [row] = await database().lookup<{ at_ms: number | null }>(fixedStatement(NEXT, []));
      return row?.at_ms == null ? undefined : Number(row.at_ms);
    },
    async put(row, beside) {
      const timing = [row.cron, row.every_ms, row.at_ms, row.timezone, row.enabled, row.made_up_within_ms, row.next_ms];
      await database().write([
        toWrite(PUT, row.id, row.kind, row.payload, ...timing, row.created_ms),
        ...beside,
        ...toScheduleChangeWrites(row.id),
      ]);
    },
    async updateKind({ id, kind, payload, made_up_within_ms }) {
      await database().write([toWrite(UPDATE_KIND, kind, payload, made_up_within_ms, id)]);
    },
    async fire({ id, plannedMs, nextMs }, forMs, jobId, addition) {
      const enabled = isOn(nextMs);
      const [fired] = await database().write([
        toWrite(FIRE, nextMs, enabled, forMs, jobId, id, plannedMs),
        { ...addition, ifChanged: true },
        toWrite(SKIP, nextMs, enabled, id, plannedMs),
      ]);
      return fired?.changes === 1;
    },
    async skip({ id, plannedMs, nextMs }) {
      await database().write([toWrite(SKIP, nextMs, isOn(nextMs), id, plannedMs)]);
    },
    async runNow(id, jobId, addition) {
      const [run] = await database().write([toWrite(RUN_NOW, jobId, id), { ...addition, ifChanged: true }]);
      return run?.changes === 1;
    },
    async switch(id, isEnabled, nextMs) {
      await database().write([toWrite(SWITCH, isEnabled ? 1 : 0, nextMs, id), ...toScheduleChangeWrites(id)]);
    },
    async setNext({ id, plannedMs, nextMs }) {
      await database().write([toWrite(SET_NEXT, nextMs, id, plannedMs), ...toScheduleChangeWrites(id)]);
    },
    async remove(id) {
      const [removed] = await database().write([toWrite(REMOVE, id)]);
      return removed?.changes === 1;
    },
  };
}

/** Some engines return 64-bit numbers as text. */
function toNumericRow(row: ScheduleTable): ScheduleTable {
  const number = (value: number | null) => (value === null ? null : Number(value));
  return {
    ...row,
    every_ms: number(row.every_ms),
    at_ms: number(row.at_ms),
    next_ms: number(row.next_ms),
    last_ms: number(row.last_ms),
    made_up_within_ms: Number(row.made_up_within_ms),
    created_ms: Number(row.created_ms),
  };
}
