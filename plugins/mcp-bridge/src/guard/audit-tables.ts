import type { Migration } from "@parley/core";

export type CallStatus = "called" | "completed" | "failed" | "denied" | "validation_failed" | "confirmation_required";

/** A call of a tool that changes something, also a rejected one. Secrets are masked. */
export interface AuditRow {
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly time: string;
  readonly tool: string;
  /** 0 or 1. */
  readonly high_risk: number;
  /** JSON, at most 8 KiB. */
  readonly params: string;
  readonly status: CallStatus;
  /** `started`, `ok` or the error's code. */
  readonly result: string;
  readonly summary: string;
  readonly audience: string;
  /** The credential's or person's id, or `stdio`. */
  readonly caller: string;
  readonly transport: string | null;
  readonly mcp_session: string | null;
  readonly client: string | null;
  readonly trace_id: string;
  readonly session_id: string | null;
  readonly duration_ms: number | null;
  /** `client`, or the id of the approver. */
  readonly confirm_by: string | null;
}

export interface AuditTables {
  readonly mcp_audit: AuditRow;
}

/** Forward only; a released step is never changed. */
export const AUDIT_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-mcp-audit",
    async up(db) {
      await db.schema
        .createTable("mcp_audit")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("time", "text", (column) => column.notNull())
        .addColumn("tool", "text", (column) => column.notNull())
        .addColumn("high_risk", "integer", (column) => column.notNull())
        .addColumn("params", "text", (column) => column.notNull())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("result", "text", (column) => column.notNull())
        .addColumn("summary", "text", (column) => column.notNull())
        .addColumn("audience", "text", (column) => column.notNull())
        .addColumn("caller", "text", (column) => column.notNull())
        .addColumn("transport", "text")
        .addColumn("mcp_session", "text")
        .addColumn("client", "text")
        .addColumn("trace_id", "text", (column) => column.notNull())
        .addColumn("session_id", "text")
        .addColumn("duration_ms", "bigint")
        .addColumn("confirm_by", "text")
        .execute();
      await db.schema.createIndex("mcp_audit_time").on("mcp_audit").columns(["time", "id"]).execute();
      await db.schema.createIndex("mcp_audit_trace").on("mcp_audit").column("trace_id").execute();
    },
  },
];
