import type { Migration } from "@parley/core";
import { sql } from "kysely";

export type InboxState =
  | "waiting"
  | "running"
  | "done"
  | "ignored"
  | "skipped"
  | "stopped"
  | "expired"
  | "failed"
  | "dead";
export type DeliveryState = "pending" | "sending" | "unknown_after_send" | "failed" | "delivered" | "dead" | "expired";

/** One accepted event. `seq` is the order of acceptance. */
export interface InboxTable {
  readonly seq: number;
  readonly id: string;
  readonly trace_id: string;
  readonly channel_id: string;
  readonly session_id: string;
  readonly state: InboxState;
  readonly cause: string | null;
  /** Of a dead one: when a person put it aside. */
  readonly reviewed_ms: number | null;
  /** The `InboundMessage`, JSON. */
  readonly message: string;
  /** How often a turn was begun; also the fencing number of the run that has it. */
  readonly runs: number;
  readonly lease_owner: string | null;
  readonly lease_until_ms: number | null;
  readonly received_ms: number;
  readonly updated_ms: number;
}

export interface DedupeTable {
  readonly key: string;
  readonly inbox_id: string;
  readonly trace_id: string;
  readonly first_ms: number;
  readonly hits: number;
}

/** What a turn has come to: its draft while it runs, its outcome when it is over. */
export interface TurnTable {
  readonly trace_id: string;
  readonly inbox_id: string;
  /** The last phase whose result is in `draft`; null before the first one that is kept. */
  readonly phase: string | null;
  readonly draft: string | null;
  readonly outcome: string | null;
  readonly updated_ms: number;
}

export interface LedgerTable {
  readonly trace_id: string;
  readonly key: string;
  readonly state: "started" | "done";
  readonly result: string | null;
  readonly started_ms: number;
}

/** One platform call. */
export interface OutboxTable {
  readonly seq: number;
  readonly id: string;
  readonly trace_id: string;
  readonly channel_id: string;
  readonly session_id: string;
  readonly conversation_id: string;
  readonly state: DeliveryState;
  readonly cause: string | null;
  /** What the platform said, masked. */
  readonly error: string | null;
  readonly reviewed_ms: number | null;
  /** The `OutboundMessage`, JSON. */
  readonly message: string;
  readonly attempts: number;
  readonly throttles: number;
  readonly next_ms: number;
  readonly expires_ms: number | null;
  readonly platform_message_id: string | null;
  readonly quality: string | null;
  readonly created_ms: number;
  readonly updated_ms: number;
}

export interface LogTable {
  readonly id: string;
  readonly trace_id: string;
  readonly source: string;
  readonly type: string;
  readonly level: string;
  readonly stage: string;
  readonly action: string;
  readonly status: string;
  readonly message: string;
  readonly channel_id: string | null;
  readonly conversation_id: string | null;
  readonly user_id: string | null;
  readonly message_id: string | null;
  readonly tool_name: string | null;
  readonly delivery_id: string | null;
  readonly queue_item_id: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly metadata: string;
  readonly created_at: string;
}

/** A process of the service, or one that an operator's tool registered. */
export interface NodeTable {
  readonly node_id: string;
  readonly node_type: string;
  readonly status: string;
  readonly version: string;
  readonly address: string;
  readonly current_load: number;
  /** JSON. */
  readonly capabilities: string;
  readonly metadata: string;
  readonly registered_by: string;
  readonly registered_ms: number;
  readonly heartbeat_ms: number;
}

/** A conversation that a platform gave another id. */
export interface AliasTable {
  readonly channel_id: string;
  readonly old_id: string;
  readonly new_id: string;
  readonly session_id: string;
  readonly created_ms: number;
}

/** What a turn got from outside, to run it again. */
export interface TurnRecordTable {
  readonly trace_id: string;
  /** JSON; null when it cannot be replayed. */
  readonly record: string | null;
  /** Why not. */
  readonly note: string | null;
}

export interface GatewayTables {
  readonly inbox: InboxTable;
  readonly dedupe: DedupeTable;
  readonly turn: TurnTable;
  readonly tool_ledger: LedgerTable;
  readonly outbox: OutboxTable;
  readonly gateway_logs: LogTable;
  readonly gateway_nodes: NodeTable;
  readonly alias: AliasTable;
  readonly turn_record: TurnRecordTable;
}

/** Forward only; a released step is never changed. */
export const GATEWAY_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-inbox-turn-outbox",
    async up(db) {
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
      await db.schema
        .createTable("dedupe")
        .addColumn("key", "text", (column) => column.primaryKey())
        .addColumn("inbox_id", "text", (column) => column.notNull())
        .addColumn("trace_id", "text", (column) => column.notNull())
        .addColumn("first_ms", "integer", (column) => column.notNull())
        .addColumn("hits", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema.createIndex("dedupe_age").on("dedupe").column("first_ms").execute();
      await db.schema
        .createTable("turn")
        .addColumn("trace_id", "text", (column) => column.primaryKey())
        .addColumn("inbox_id", "text", (column) => column.notNull())
        .addColumn("phase", "text")
        .addColumn("draft", "text")
        .addColumn("outcome", "text")
        .addColumn("updated_ms", "integer", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("tool_ledger")
        .addColumn("trace_id", "text", (column) => column.notNull())
        .addColumn("key", "text", (column) => column.notNull())
        .addColumn("state", "text", (column) => column.notNull())
        .addColumn("result", "text")
        .addColumn("started_ms", "integer", (column) => column.notNull())
        .addPrimaryKeyConstraint("tool_ledger_key", ["trace_id", "key"])
        .execute();
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
