import type { Migration, ToolAuditRow } from "@parley/core";

/** A row as it is kept: switches are 0 or 1. */
export type StoredAuditRow = Omit<ToolAuditRow, "high_risk"> & { readonly high_risk: number };

export interface AuditTables {
  readonly mcp_audit: StoredAuditRow;
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
        .addColumn("duration_ms", "integer")
        .addColumn("confirm_by", "text")
        .execute();
      await db.schema.createIndex("mcp_audit_time").on("mcp_audit").columns(["time", "id"]).execute();
      await db.schema.createIndex("mcp_audit_trace").on("mcp_audit").column("trace_id").execute();
    },
  },
];
