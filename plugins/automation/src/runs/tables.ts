import type { Migration } from "@parley/core";
import { sql } from "kysely";

export const RUN_KINDS = ["workflow", "task", "heartbeat"] as const;
export type RunKind = (typeof RUN_KINDS)[number];
export const RUN_STATUSES = ["queued", "running", "success", "failed", "canceled", "timed_out"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export const TRIGGERS = ["manual", "cron", "interval", "date", "mcp"] as const;
export type RunTrigger = (typeof TRIGGERS)[number];

/** A run of a record. */
export interface RunTable {
  readonly run_id: string;
  readonly kind: RunKind;
  readonly owner_id: string;
  /** Name of the record when the run started. */
  readonly owner_name: string;
  /** Number of the run within its record, from 1. */
  readonly nr: number;
  readonly status: RunStatus;
  readonly trigger_kind: RunTrigger;
  /** The order when the run started, as JSON. */
  readonly order_json: string;
  /** Number of runs above this one, when runs start runs. */
  readonly depth: number;
  /** Number of starts; writes of an earlier start fail. */
  readonly fence: number;
  /** 1 when somebody asked to cancel the run. */
  readonly cancel_asked: number;
  /** Milliseconds of work before the last sleep. */
  readonly active_ms: number;
  readonly created_ms: number;
  readonly started_ms: number | null;
  readonly finished_ms: number | null;
  readonly result: string;
  readonly error: string | null;
  /** The `LocalizedError` as JSON; it belongs to an earlier error when its message differs from `error`. */
  readonly told: string | null;
  readonly error_code: string | null;
  readonly trace_id: string;
  readonly session_id: string | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number | null;
}

export const STEP_STATES = ["started", "done", "failed", "skipped", "unknown"] as const;
/** State of a step; `unknown` means that it was started and its outcome is not known. */
export type StepState = (typeof STEP_STATES)[number];

/** A step of a run; the steps are its history and its ledger. */
export interface StepTable {
  readonly run_id: string;
  readonly step_key: string;
  readonly nr: number;
  readonly name: string;
  readonly action: string;
  readonly state: StepState;
  /** 1 when repeating the step would change something twice. */
  readonly is_risky: number;
  readonly attempts: number;
  /** Input as people see it, truncated JSON. */
  readonly input: string;
  /** Output for later steps, as JSON. */
  readonly output: string | null;
  /** JSON that a provider needs to continue. It is never shown, and removed when the run ends. */
  readonly hidden: string | null;
  readonly error: string | null;
  /** The `LocalizedError` as JSON. */
  readonly told: string | null;
  readonly started_ms: number;
  readonly finished_ms: number | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number | null;
}

/** Run state of a record. Changing it does not change the record. */
export interface StateTable {
  readonly id: string;
  readonly kind: RunKind;
  /** The active run; a record has at most one. */
  readonly running_run: string | null;
  readonly last_run: string | null;
  readonly last_nr: number;
  readonly status: "idle" | "running" | "success" | "failed";
  readonly started_ms: number | null;
  readonly finished_ms: number | null;
  readonly last_error: string | null;
  /** The `LocalizedError` of the last run as JSON. */
  readonly told: string | null;
  /** The conversation that shows the runs. */
  readonly session_id: string | null;
  readonly run_count: number;
  readonly skipped_count: number;
  /** Time of a start that was due while automation was off; null when there is nothing to catch up. */
  readonly held_ms: number | null;
  /** Hash of the last message that the heartbeat sent. */
  readonly said: string | null;
  readonly said_ms: number | null;
}

export interface AutomationTables {
  readonly automation_runs: RunTable;
  readonly automation_steps: StepTable;
  readonly automation_states: StateTable;
}

/** Forward only; a released step is never changed. */
export const AUTOMATION_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-as-of-0.1.0",
    replaces: ["001-runs", "002-filtered-runs"],
    async up(db) {
      await db.schema
        .createTable("automation_runs")
        .addColumn("run_id", "text", (column) => column.primaryKey())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("owner_id", "text", (column) => column.notNull())
        .addColumn("owner_name", "text", (column) => column.notNull())
        .addColumn("nr", "integer", (column) => column.notNull())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("trigger_kind", "text", (column) => column.notNull())
        .addColumn("order_json", "text", (column) => column.notNull())
        .addColumn("depth", "integer", (column) => column.notNull())
        .addColumn("fence", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("cancel_asked", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("active_ms", "bigint", (column) => column.notNull().defaultTo(0))
        .addColumn("created_ms", "bigint", (column) => column.notNull())
        .addColumn("started_ms", "bigint")
        .addColumn("finished_ms", "bigint")
        .addColumn("result", "text", (column) => column.notNull().defaultTo(""))
        .addColumn("error", "text")
        .addColumn("error_code", "text")
        .addColumn("trace_id", "text", (column) => column.notNull())
        .addColumn("session_id", "text")
        .addColumn("input_tokens", "bigint", (column) => column.notNull().defaultTo(0))
        .addColumn("output_tokens", "bigint", (column) => column.notNull().defaultTo(0))
        .addColumn("cost", "double precision")
        .execute();
      // Each list has its own index, from which a page is read newest first.
      await sql`create index automation_runs_all on automation_runs (created_ms, run_id)`.execute(db);
      await sql`create index automation_runs_owner on automation_runs (owner_id, nr)`.execute(db);
      await sql`create index automation_runs_kind on automation_runs (kind, created_ms, run_id)`.execute(db);
      await sql`create index automation_runs_status on automation_runs (status, created_ms, run_id)`.execute(db);
      await sql`create index automation_runs_trace on automation_runs (trace_id)`.execute(db);
      await db.schema
        .createTable("automation_steps")
        .addColumn("run_id", "text", (column) => column.notNull())
        .addColumn("step_key", "text", (column) => column.notNull())
        .addColumn("nr", "integer", (column) => column.notNull())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("action", "text", (column) => column.notNull())
        .addColumn("state", "text", (column) => column.notNull())
        .addColumn("is_risky", "integer", (column) => column.notNull())
        .addColumn("attempts", "integer", (column) => column.notNull())
        .addColumn("input", "text", (column) => column.notNull())
        .addColumn("output", "text")
        .addColumn("error", "text")
        .addColumn("started_ms", "bigint", (column) => column.notNull())
        .addColumn("finished_ms", "bigint")
        .addColumn("input_tokens", "bigint", (column) => column.notNull().defaultTo(0))
        .addColumn("output_tokens", "bigint", (column) => column.notNull().defaultTo(0))
        .addColumn("cost", "double precision")
        .addPrimaryKeyConstraint("automation_steps_key", ["run_id", "step_key"])
        .execute();
      await db.schema
        .createTable("automation_states")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("running_run", "text")
        .addColumn("last_run", "text")
        .addColumn("last_nr", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("status", "text", (column) => column.notNull().defaultTo("idle"))
        .addColumn("started_ms", "bigint")
        .addColumn("finished_ms", "bigint")
        .addColumn("last_error", "text")
        .addColumn("session_id", "text")
        .addColumn("run_count", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("skipped_count", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("held_ms", "bigint")
        .addColumn("said", "text")
        .addColumn("said_ms", "bigint")
        .execute();
      // Failed runs are found equally fast among ten runs or a million.
      await sql`create index automation_runs_owner_status on automation_runs (owner_id, status, nr)`.execute(db);
      await sql`create index automation_runs_kind_status on automation_runs (kind, status, created_ms, run_id)`.execute(
        db,
      );
    },
  },
  {
    id: "003-told-failures",
    expands: true,
    async up(db) {
      for (const table of ["automation_runs", "automation_steps", "automation_states"]) {
        await db.schema.alterTable(table).addColumn("told", "text").execute();
      }
    },
  },
  {
    id: "004-hidden-of-steps",
    expands: true,
    async up(db) {
      await db.schema.alterTable("automation_steps").addColumn("hidden", "text").execute();
    },
  },
];
