import type { Migration } from "@parley/core";
import { sql } from "kysely";

/** `later` waits for its time, `waiting` for a free slot. */
export type JobState = "later" | "waiting" | "running" | "done" | "dead" | "canceled";

export interface JobTable {
  readonly id: string;
  readonly kind: string;
  /** Unique in its kind. */
  readonly job_key: string | null;
  readonly state: JobState;
  readonly priority: number;
  readonly due_ms: number;
  readonly payload: string;
  /** Payload stored after the job ends; null: the whole payload. */
  readonly kept_payload: string | null;
  /** Count of starts; also the fencing number of the current run. */
  readonly runs: number;
  /** Tries that failed. */
  readonly failures: number;
  /** Runs that ended with their process, in a row. */
  readonly lost: number;
  readonly lease_owner: string | null;
  readonly lease_until_ms: number | null;
  /** 1 when the job was requested to end. */
  readonly cancel_asked: number;
  /** Progress in thousandths. */
  readonly progress: number | null;
  readonly progress_text: string;
  readonly error_code: string | null;
  readonly error: string | null;
  /** JSON of the localized error; belongs to an earlier error when its message differs from `error`. */
  readonly told: string | null;
  readonly schedule_id: string | null;
  readonly trace_id: string | null;
  readonly created_ms: number;
  readonly started_ms: number | null;
  readonly finished_ms: number | null;
}

export interface JobLogTable {
  readonly job_id: string;
  readonly line: number;
  readonly at_ms: number;
  readonly text: string;
  /** JSON of the localized detail. */
  readonly told: string | null;
}

/** Steps with a side effect. */
export interface JobStepTable {
  readonly job_id: string;
  readonly name: string;
  readonly state: "started" | "done";
  /** The result as JSON. */
  readonly result: string | null;
  readonly started_ms: number;
}

export interface ScheduleTable {
  readonly id: string;
  readonly kind: string;
  readonly payload: string;
  readonly cron: string | null;
  readonly every_ms: number | null;
  readonly at_ms: number | null;
  readonly timezone: string | null;
  readonly enabled: number;
  readonly made_up_within_ms: number;
  readonly next_ms: number | null;
  readonly last_ms: number | null;
  readonly last_job_id: string | null;
  readonly run_count: number;
  readonly skipped_count: number;
  readonly created_ms: number;
}

export interface Tables {
  readonly jobs: JobTable;
  readonly job_logs: JobLogTable;
  readonly job_steps: JobStepTable;
  readonly schedules: ScheduleTable;
}

/** Forward only; a released step is never changed. */
export const JOB_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-as-of-0.1.0",
    replaces: ["001-jobs", "002-schedules"],
    async up(db) {
      await db.schema
        .createTable("jobs")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("job_key", "text")
        .addColumn("state", "text", (column) => column.notNull())
        .addColumn("priority", "integer", (column) => column.notNull())
        .addColumn("due_ms", "bigint", (column) => column.notNull())
        .addColumn("payload", "text", (column) => column.notNull())
        .addColumn("runs", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("failures", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("lost", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("lease_owner", "text")
        .addColumn("lease_until_ms", "bigint")
        .addColumn("cancel_asked", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("progress", "integer")
        .addColumn("progress_text", "text", (column) => column.notNull().defaultTo(""))
        .addColumn("error_code", "text")
        .addColumn("error", "text")
        .addColumn("schedule_id", "text")
        .addColumn("trace_id", "text")
        .addColumn("created_ms", "bigint", (column) => column.notNull())
        .addColumn("started_ms", "bigint")
        .addColumn("finished_ms", "bigint")
        .execute();
      // The index is partial, so that other rows cost nothing.
      await sql`create unique index jobs_key on jobs (kind, job_key) where job_key is not null`.execute(db);
      await sql`create index jobs_waiting on jobs (kind, priority desc, due_ms, id) where state = 'waiting'`.execute(
        db,
      );
      await sql`create index jobs_later on jobs (due_ms) where state = 'later'`.execute(db);
      await sql`create index jobs_running on jobs (lease_until_ms) where state = 'running'`.execute(db);
      await sql`create index jobs_over on jobs (finished_ms) where finished_ms is not null`.execute(db);
      await sql`create index jobs_scheduled on jobs (schedule_id) where schedule_id is not null`.execute(db);
      await db.schema
        .createTable("job_logs")
        .addColumn("job_id", "text", (column) => column.notNull())
        .addColumn("line", "bigint", (column) => column.notNull())
        .addColumn("at_ms", "bigint", (column) => column.notNull())
        .addColumn("text", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("job_logs_line", ["job_id", "line"])
        .execute();
      await db.schema
        .createTable("job_steps")
        .addColumn("job_id", "text", (column) => column.notNull())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("state", "text", (column) => column.notNull())
        .addColumn("result", "text")
        .addColumn("started_ms", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("job_steps_name", ["job_id", "name"])
        .execute();
      await db.schema
        .createTable("schedules")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("payload", "text", (column) => column.notNull())
        .addColumn("cron", "text")
        .addColumn("every_ms", "bigint")
        .addColumn("at_ms", "bigint")
        .addColumn("timezone", "text")
        .addColumn("enabled", "integer", (column) => column.notNull())
        .addColumn("made_up_within_ms", "bigint", (column) => column.notNull())
        .addColumn("next_ms", "bigint")
        .addColumn("last_ms", "bigint")
        .addColumn("last_job_id", "text")
        .addColumn("run_count", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("skipped_count", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("created_ms", "bigint", (column) => column.notNull())
        .execute();
      await sql`create index schedules_next on schedules (next_ms) where next_ms is not null`.execute(db);
    },
  },
  {
    id: "003-kept-payloads",
    expands: true,
    async up(db) {
      await db.schema.alterTable("jobs").addColumn("kept_payload", "text").execute();
    },
  },
  {
    id: "004-told-failures",
    expands: true,
    async up(db) {
      await db.schema.alterTable("jobs").addColumn("told", "text").execute();
    },
  },
  {
    id: "005-told-lines",
    expands: true,
    async up(db) {
      await db.schema.alterTable("job_logs").addColumn("told", "text").execute();
    },
  },
];
