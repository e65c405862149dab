import type { Migration } from "@parley/core";

/** Amounts that a budget's target has spent in a period. */
export interface SpendingRow {
  readonly budget_id: string;
  readonly target_id: string;
  /** ISO 8601 start of the period. */
  readonly period_start: string;
  readonly used_tokens: number | string;
  readonly used_cost: number;
}

/** Amounts that an attempt at a model holds in one budget. */
export interface ReservationRow extends Omit<SpendingRow, "used_tokens" | "used_cost"> {
  readonly id: string;
  readonly tokens: number | string;
  readonly cost: number;
  readonly trace_id: string | null;
  /** Id of the process that renews it. */
  readonly holder: string;
  readonly expires_ms: number | string;
}

export interface LedgerTables {
  readonly budget_spending: SpendingRow;
  readonly budget_reservations: ReservationRow;
}

export const BUDGET_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-ledger",
    expands: true,
    async up(db) {
      await db.schema
        .createTable("budget_spending")
        .addColumn("budget_id", "text", (column) => column.notNull())
        .addColumn("target_id", "text", (column) => column.notNull())
        .addColumn("period_start", "text", (column) => column.notNull())
        .addColumn("used_tokens", "bigint", (column) => column.notNull())
        .addColumn("used_cost", "double precision", (column) => column.notNull())
        .addPrimaryKeyConstraint("budget_spending_key", ["budget_id", "period_start", "target_id"])
        .execute();
      await db.schema
        .createTable("budget_reservations")
        .addColumn("id", "text", (column) => column.notNull())
        .addColumn("budget_id", "text", (column) => column.notNull())
        .addColumn("target_id", "text", (column) => column.notNull())
        .addColumn("period_start", "text", (column) => column.notNull())
        .addColumn("tokens", "bigint", (column) => column.notNull())
        .addColumn("cost", "double precision", (column) => column.notNull())
        .addColumn("trace_id", "text")
        .addColumn("holder", "text", (column) => column.notNull())
        .addColumn("expires_ms", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("budget_reservations_key", ["id", "budget_id"])
        .execute();
      await db.schema
        .createIndex("budget_reservations_target")
        .on("budget_reservations")
        .columns(["budget_id", "period_start", "target_id"])
        .execute();
      await db.schema.createIndex("budget_reservations_trace").on("budget_reservations").column("trace_id").execute();
    },
  },
];
