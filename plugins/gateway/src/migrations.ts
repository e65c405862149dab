import type { Migration } from "@parley/core";
import { type Kysely, sql } from "kysely";

/** Separates the parts of a deduplication key. */
export const KEY_SEPARATOR = "\u001f";

/** Migrations of the main database. Forward only; a released step is never changed. */
export const MAIN_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-as-of-0.1.0",
    replaces: ["001-truth", "002-keys-of-text"],
    async up(db) {
      await createInbox(db);
      await createDedupe(db);
      await createTurnDraft(db);
      await createToolLedger(db);
      await createOutbox(db);
      await createGatewayNodes(db);
      await createAlias(db);
    },
  },
  {
    // Partition owners, with several nodes on one database; empty for a single process.
    id: "003-homes",
    async up(db) {
      await db.schema
        .createTable("gateway_homes")
        .addColumn("home", "text", (column) => column.primaryKey())
        .addColumn("node_id", "text", (column) => column.notNull())
        .execute();
      for (const table of ["inbox", "outbox"]) {
        for (const column of ["home", "holder"]) await db.schema.alterTable(table).addColumn(column, "text").execute();
      }
      await sql`create index inbox_unheld on inbox (home)
        where holder is null and home is not null and state = 'waiting'`.execute(db);
      await sql`create index outbox_unheld on outbox (home) where holder is null and home is not null
        and state in ('pending', 'sending', 'failed', 'unknown_after_send')`.execute(db);
    },
  },
  {
    // Counts of each process in the last hour.
    id: "004-minutes",
    expands: true,
    async up(db) {
      await db.schema
        .createTable("gateway_minutes")
        .addColumn("minute", "bigint", (column) => column.notNull())
        .addColumn("node_id", "text", (column) => column.notNull())
        .addColumn("messages_in", "integer", (column) => column.notNull())
        .addColumn("answers_out", "integer", (column) => column.notNull())
        .addColumn("given_up", "integer", (column) => column.notNull())
        .addColumn("acks", "text", (column) => column.notNull())
        .addColumn("turns", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("gateway_minutes_key", ["minute", "node_id"])
        .execute();
    },
  },
  {
    id: "005-error-detail",
    expands: true,
    async up(db) {
      await db.schema.alterTable("outbox").addColumn("error_detail", "text").execute();
    },
  },
  {
    id: "006-later-parts",
    expands: true,
    async up(db) {
      for (const column of ["stopped_by", "answer_id"])
        await db.schema.alterTable("outbox").addColumn(column, "text").execute();
      await db.schema.alterTable("outbox").addColumn("answer_from", "integer").execute();
      await sql`create index outbox_later_parts on outbox (session_id)
        where stopped_by is not null and state in ('pending', 'cancelled')`.execute(db);
    },
  },
  {
    id: "007-elements",
    expands: true,
    async up(db) {
      await createElements(db);
    },
  },
];

/** Migrations of `gateway.db`. Forward only; a released step is never changed. */
export const HISTORY_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-history",
    async up(db) {
      await createGatewayLogs(db);
      await indexGatewayLogs(db);
      await createTurnRecord(db);
    },
  },
];

async function createInbox(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("inbox")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("trace_id", "text", (column) => column.notNull().unique())
    .addColumn("channel_id", "text", (column) => column.notNull())
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("cause", "text")
    .addColumn("reviewed_ms", "bigint")
    .addColumn("message", "text", (column) => column.notNull())
    .addColumn("runs", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("lease_owner", "text")
    .addColumn("lease_until_ms", "bigint")
    .addColumn("outcome", "text")
    .addColumn("received_ms", "bigint", (column) => column.notNull())
    .addColumn("updated_ms", "bigint", (column) => column.notNull())
    .execute();
  // Only unfinished rows are queried by state, so the index covers just these.
  await sql`create index inbox_open on inbox (position) where state in ('waiting', 'running')`.execute(db);
  await sql`create index inbox_dead on inbox (updated_ms) where state = 'dead'`.execute(db);
  await db.schema.createIndex("inbox_session").on("inbox").column("session_id").execute();
}

async function createDedupe(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("dedupe")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("inbox_id", "text", (column) => column.notNull())
    .addColumn("trace_id", "text", (column) => column.notNull())
    .addColumn("first_ms", "bigint", (column) => column.notNull())
    .addColumn("hits", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex("dedupe_age").on("dedupe").column("first_ms").execute();
}

async function createTurnDraft(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("turn_draft")
    .addColumn("trace_id", "text", (column) => column.primaryKey())
    .addColumn("phase", "text", (column) => column.notNull())
    .addColumn("draft", "text", (column) => column.notNull())
    .addColumn("updated_ms", "bigint", (column) => column.notNull())
    .execute();
}

async function createToolLedger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("tool_ledger")
    .addColumn("trace_id", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("result", "text")
    .addColumn("started_ms", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("tool_ledger_key", ["trace_id", "key"])
    .execute();
}

async function createOutbox(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("outbox")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("trace_id", "text", (column) => column.notNull())
    .addColumn("channel_id", "text", (column) => column.notNull())
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("conversation_id", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("cause", "text")
    .addColumn("error", "text")
    .addColumn("reviewed_ms", "bigint")
    .addColumn("message", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("throttles", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("next_ms", "bigint", (column) => column.notNull())
    .addColumn("expires_ms", "bigint")
    .addColumn("platform_message_id", "text")
    .addColumn("quality", "text")
    .addColumn("created_ms", "bigint", (column) => column.notNull())
    .addColumn("updated_ms", "bigint", (column) => column.notNull())
    .execute();
  await sql`create index outbox_open on outbox (position)
    where state in ('pending', 'sending', 'failed', 'unknown_after_send')`.execute(db);
  await db.schema.createIndex("outbox_position").on("outbox").column("position").execute();
  await sql`create index outbox_dead on outbox (updated_ms) where state = 'dead'`.execute(db);
  await db.schema.createIndex("outbox_trace").on("outbox").column("trace_id").execute();
}

async function createElements(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("gateway_elements")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("trace_id", "text", (column) => column.notNull())
    .addColumn("message_id", "text")
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("items", "text", (column) => column.notNull())
    .addColumn("handler", "text")
    .addColumn("data", "text")
    .addColumn("allowed", "text")
    .addColumn("first_number", "integer", (column) => column.notNull())
    .addColumn("created_ms", "bigint", (column) => column.notNull())
    .addColumn("expires_ms", "bigint", (column) => column.notNull())
    .addColumn("pressed_item", "text")
    .addColumn("pressed_by", "text")
    .addColumn("pressed_ms", "bigint")
    .execute();
  await sql`create index gateway_elements_numbered on gateway_elements (session_id)
    where first_number > 0 and pressed_ms is null`.execute(db);
  await db.schema.createIndex("gateway_elements_session").on("gateway_elements").column("session_id").execute();
  await db.schema.createIndex("gateway_elements_expiry").on("gateway_elements").column("expires_ms").execute();
}

async function createGatewayNodes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("gateway_nodes")
    .addColumn("node_id", "text", (column) => column.primaryKey())
    .addColumn("node_type", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("version", "text", (column) => column.notNull())
    .addColumn("address", "text", (column) => column.notNull())
    .addColumn("current_load", "double precision", (column) => column.notNull())
    .addColumn("capabilities", "text", (column) => column.notNull())
    .addColumn("metadata", "text", (column) => column.notNull())
    .addColumn("registered_by", "text", (column) => column.notNull())
    .addColumn("registered_ms", "bigint", (column) => column.notNull())
    .addColumn("heartbeat_ms", "bigint", (column) => column.notNull())
    .execute();
}

async function createAlias(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("alias")
    .addColumn("channel_id", "text", (column) => column.notNull())
    .addColumn("old_id", "text", (column) => column.notNull())
    .addColumn("new_id", "text", (column) => column.notNull())
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("created_ms", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("alias_key", ["channel_id", "old_id"])
    .execute();
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
    .addColumn("message_id", "text")
    .addColumn("tool_name", "text")
    .addColumn("delivery_id", "text")
    .addColumn("queue_item_id", "text")
    .addColumn("error_code", "text")
    .addColumn("error_message", "text")
    .addColumn("metadata", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .execute();
}

async function indexGatewayLogs(db: Kysely<unknown>): Promise<void> {
  const index = (name: string, columns: readonly string[]) =>
    db.schema
      .createIndex(name)
      .on("gateway_logs")
      .columns([...columns])
      .execute();
  await index("gateway_logs_trace", ["trace_id"]);
  await index("gateway_logs_time", ["created_at"]);
  await index("gateway_logs_channel", ["channel_id", "created_at"]);
  await sql`create index gateway_logs_message on gateway_logs (message_id) where message_id is not null`.execute(db);
  await sql`create index gateway_logs_bad on gateway_logs (created_at) where level in ('warning', 'error')`.execute(db);
}

async function createTurnRecord(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("turn_record")
    .addColumn("trace_id", "text", (column) => column.primaryKey())
    .addColumn("record", "text")
    .addColumn("note", "text")
    .execute();
}
