import type { Migration } from "@parley/core";

export interface BroadcastTable {
  readonly id: string;
  readonly text: string;
  /** The `Audience` as JSON. */
  readonly audience: string;
  readonly per_minute: number;
  readonly state: string;
  /** The `LocalizedError` as JSON. */
  readonly error: string | null;
  /** Number of the run, increased when the broadcast continues; steps of earlier runs end. */
  readonly run: number;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface RecipientTable {
  readonly broadcast_id: string;
  readonly session_id: string;
  readonly position: number;
  readonly name: string;
  readonly channel_id: string;
  readonly state: string;
  /** The `LocalizedError` as JSON. */
  readonly error: string | null;
  /** Trace id of the message to this recipient; delivery ids derive from it. */
  readonly trace_id: string;
  /** 0 when certainly nothing was sent to the recipient, else 1. */
  readonly was_sent: number;
  readonly updated_at: string;
}

export const BROADCASTS_MIGRATION: Migration = {
  id: "011-broadcasts",
  expands: true,
  async up(db) {
    await db.schema
      .createTable("broadcasts")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("text", "text", (column) => column.notNull())
      .addColumn("audience", "text", (column) => column.notNull())
      .addColumn("per_minute", "integer", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("error", "text")
      .addColumn("run", "integer", (column) => column.notNull())
      .addColumn("created_by", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("broadcast_recipients")
      .addColumn("broadcast_id", "text", (column) => column.notNull())
      .addColumn("session_id", "text", (column) => column.notNull())
      .addColumn("position", "integer", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("channel_id", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("error", "text")
      .addColumn("trace_id", "text", (column) => column.notNull())
      .addColumn("was_sent", "integer", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("broadcast_recipients_key", ["broadcast_id", "session_id"])
      .execute();
    await db.schema
      .createIndex("broadcast_recipients_state")
      .on("broadcast_recipients")
      .columns(["broadcast_id", "state", "position"])
      .execute();
    await db.schema
      .createIndex("broadcast_recipients_session")
      .on("broadcast_recipients")
      .column("session_id")
      .execute();
  },
};
