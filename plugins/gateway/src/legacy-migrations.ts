import type { Migration } from "@parley/core";
import { type Kysely, sql } from "kysely";

// SQLite only, like `legacy-import.ts`: these tables never existed on another engine.

/** Migrations of a `gateway.db` that contains everything (owner `gateway`); all are applied before it is moved. */
export const LEGACY_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-inbox-turn-outbox",
    async up(db) {
      await createInbox(db);
      await createDedupe(db);
      await createTurn(db);
      await createToolLedger(db);
      await createOutbox(db);
      await createGatewayLogs(db);
    },
  },
  {
    id: "002-review-nodes-lookup",
    async up(db) {
      for (const [table, column, type] of [
        ["inbox", "reviewed_ms", "integer"],
        ["outbox", "reviewed_ms", "integer"],
        ["outbox", "error", "text"],
        ["gateway_logs", "message_id", "text"],
        ["gateway_logs", "tool_name", "text"],
      ] as const) {
        await db.schema.alterTable(table).addColumn(column, type).execute();
      }
      await db.schema
        .createTable("gateway_nodes")
        .addColumn("node_id", "text", (column) => column.primaryKey())
        .addColumn("node_type", "text", (column) => column.notNull())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("version", "text", (column) => column.notNull())
        .addColumn("address", "text", (column) => column.notNull())
        .addColumn("current_load", "real", (column) => column.notNull())
        .addColumn("capabilities", "text", (column) => column.notNull())
        .addColumn("metadata", "text", (column) => column.notNull())
        .addColumn("registered_by", "text", (column) => column.notNull())
        .addColumn("registered_ms", "integer", (column) => column.notNull())
        .addColumn("heartbeat_ms", "integer", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("alias")
        .addColumn("channel_id", "text", (column) => column.notNull())
        .addColumn("old_id", "text", (column) => column.notNull())
        .addColumn("new_id", "text", (column) => column.notNull())
        .addColumn("session_id", "text", (column) => column.notNull())
        .addColumn("created_ms", "integer", (column) => column.notNull())
        .addPrimaryKeyConstraint("alias_key", ["channel_id", "old_id"])
        .execute();
      await sql`create index gateway_logs_message on gateway_logs (message_id) where message_id is not null`.execute(
        db,
      );
      await sql`create index gateway_logs_bad on gateway_logs (created_at) where level in ('warning', 'error')`.execute(
        db,
      );
      await db.schema
        .createIndex("gateway_logs_channel")
        .on("gateway_logs")
        .columns(["channel_id", "created_at"])
        .execute();
      await db.schema.createIndex("inbox_session").on("inbox").column("session_id").execute();
    },
  },
  {
    id: "003-turn-record",
    async up(db) {
      await db.schema
        .createTable("turn_record")
        .addColumn("trace_id", "text", (column) => column.primaryKey())
        .addColumn("record", "text")
        .addColumn("note", "text")
        .execute();
    },
  },
];

async function createInbox(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("inbox")
    .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("id", "text", (column) => column.notNull().unique())
    .addColumn("trace_id", "text", (column) => column.notNull().unique())
    .addColumn("channel_id", "text", (column) => column.notNull())
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("cause", "text")
    .addColumn("message", "text", (column) => column.notNull())
    .addColumn("runs", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("lease_owner", "text")
    .addColumn("lease_until_ms", "integer")
    .addColumn("received_ms", "integer", (column) => column.notNull())
    .addColumn("updated_ms", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("inbox_state").on("inbox").columns(["state", "seq"]).execute();
}

async function createDedupe(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("dedupe")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("inbox_id", "text", (column) => column.notNull())
    .addColumn("trace_id", "text", (column) => column.notNull())
    .addColumn("first_ms", "integer", (column) => column.notNull())
    .addColumn("hits", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex("dedupe_age").on("dedupe").column("first_ms").execute();
}

async function createTurn(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("turn")
    .addColumn("trace_id", "text", (column) => column.primaryKey())
    .addColumn("inbox_id", "text", (column) => column.notNull())
    .addColumn("phase", "text")
    .addColumn("draft", "text")
    .addColumn("outcome", "text")
    .addColumn("updated_ms", "integer", (column) => column.notNull())
    .execute();
}

async function createToolLedger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("tool_ledger")
    .addColumn("trace_id", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("result", "text")
    .addColumn("started_ms", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("tool_ledger_key", ["trace_id", "key"])
    .execute();
}

async function createOutbox(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("outbox")
    .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("id", "text", (column) => column.notNull().unique())
    .addColumn("trace_id", "text", (column) => column.notNull())
    .addColumn("channel_id", "text", (column) => column.notNull())
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("conversation_id", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("cause", "text")
    .addColumn("message", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("throttles", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("next_ms", "integer", (column) => column.notNull())
    .addColumn("expires_ms", "integer")
    .addColumn("platform_message_id", "text")
    .addColumn("quality", "text")
    .addColumn("created_ms", "integer", (column) => column.notNull())
    .addColumn("updated_ms", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("outbox_state").on("outbox").columns(["state", "seq"]).execute();
  await db.schema.createIndex("outbox_trace").on("outbox").column("trace_id").execute();
}

async function createGatewayLogs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("gateway_logs")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("trace_id", "text", (column) => column.notNull())
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("level", "text", (column) => column.notNull())
    .addColumn("stage", "text", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("message", "text", (column) => column.notNull())
    .addColumn("channel_id", "text")
    .addColumn("conversation_id", "text")
    .addColumn("user_id", "text")
    .addColumn("delivery_id", "text")
    .addColumn("queue_item_id", "text")
    .addColumn("error_code", "text")
    .addColumn("error_message", "text")
    .addColumn("metadata", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("gateway_logs_trace").on("gateway_logs").column("trace_id").execute();
  await db.schema.createIndex("gateway_logs_time").on("gateway_logs").column("created_at").execute();
}
