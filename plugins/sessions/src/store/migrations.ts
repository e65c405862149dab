import type { Migration } from "@parley/core";
import { sql } from "kysely";
import { BROADCASTS_MIGRATION } from "../broadcasts/tables.ts";

/** Forward only; a released step is never changed. */
export const SESSION_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-as-of-0.1.0",
    replaces: [
      "001-sessions-and-messages",
      "002-one-message-one-place",
      "003-back-in-place",
      "004-last-message",
      "005-order-of-the-list",
      "006-published",
    ],
    async up(db) {
      await db.schema
        .createTable("sessions")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("type", "text", (column) => column.notNull())
        .addColumn("channel_id", "text", (column) => column.notNull())
        .addColumn("character_id", "text")
        .addColumn("favorite", "integer", (column) => column.notNull())
        .addColumn("pinned", "integer", (column) => column.notNull())
        .addColumn("archived", "integer", (column) => column.notNull())
        .addColumn("message_count", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("visible_count", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("archived_count", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("last_message_at", "text")
        .addColumn("is_named", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("custom_prompt", "text")
        .addColumn("custom_prompt_at", "text")
        .addColumn("fields", "text", (column) => column.notNull())
        .addColumn("created_at", "text", (column) => column.notNull())
        .addColumn("updated_at", "text", (column) => column.notNull())
        .addColumn("revision", "integer", (column) => column.notNull())
        .addColumn("last_id", "text")
        .addColumn("last_role", "text")
        .addColumn("last_sender", "text")
        .addColumn("last_preview", "text")
        .addColumn("public_until", "bigint")
        .execute();
      await db.schema.createIndex("sessions_last").on("sessions").columns(["archived", "last_message_at"]).execute();
      // The index has the order of the list, so that a page is read without sorting.
      await sql`create index sessions_order on sessions (archived, pinned, (coalesce(last_message_at, created_at)), id)`.execute(
        db,
      );
      await db.schema
        .createTable("messages")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("session_id", "text", (column) => column.notNull())
        .addColumn("seq", "integer", (column) => column.notNull())
        .addColumn("place", "text", (column) => column.notNull())
        .addColumn("role", "text", (column) => column.notNull())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("hidden", "integer", (column) => column.notNull())
        .addColumn("content", "text", (column) => column.notNull())
        .addColumn("timestamp", "text", (column) => column.notNull())
        .addColumn("trace_id", "text")
        .addColumn("platform_message_id", "text")
        .addColumn("fields", "text", (column) => column.notNull())
        .addColumn("revision", "integer", (column) => column.notNull())
        .addColumn("sender", "text", (column) => column.notNull().defaultTo(""))
        .execute();
      await db.schema.createIndex("messages_order").on("messages").columns(["session_id", "place", "seq"]).execute();
      await db.schema.createIndex("messages_last").unique().on("messages").columns(["session_id", "seq"]).execute();
      await db.schema
        .createIndex("messages_platform")
        .on("messages")
        .columns(["session_id", "platform_message_id"])
        .execute();
      await db.schema
        .createTable("message_counts")
        .addColumn("hour", "text", (column) => column.notNull())
        .addColumn("channel_id", "text", (column) => column.notNull())
        .addColumn("role", "text", (column) => column.notNull())
        .addColumn("count", "integer", (column) => column.notNull())
        .addPrimaryKeyConstraint("message_counts_key", ["hour", "channel_id", "role"])
        .execute();
      await db.schema
        .createTable("message_favorites")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("session_id", "text", (column) => column.notNull())
        .addColumn("title", "text", (column) => column.notNull())
        .addColumn("created_at", "text", (column) => column.notNull())
        .addColumn("updated_at", "text", (column) => column.notNull())
        .addColumn("messages", "text", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("message_favorites_session").on("message_favorites").column("session_id").execute();
      await db.schema
        .createTable("runtime_timeline")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("session_id", "text", (column) => column.notNull())
        .addColumn("character_id", "text", (column) => column.notNull())
        .addColumn("timestamp", "text", (column) => column.notNull())
        .addColumn("entry", "text", (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex("runtime_timeline_session")
        .on("runtime_timeline")
        .columns(["session_id", "id"])
        .execute();
    },
  },
  {
    id: "007-branches",
    async up(db) {
      await db.schema
        .createTable("message_branches")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("session_id", "text", (column) => column.notNull())
        .addColumn("after_id", "text")
        .addColumn("state", "text")
        .addColumn("created_at", "text", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("message_branches_session").on("message_branches").column("session_id").execute();
    },
  },
  {
    id: "008-folders",
    expands: true,
    async up(db) {
      await db.schema
        .alterTable("sessions")
        .addColumn("folder", "text", (column) => column.notNull().defaultTo(""))
        .execute();
      await db.schema.createIndex("sessions_folder").on("sessions").column("folder").execute();
    },
  },
  {
    // The index is partial, because few messages are rated.
    id: "009-ratings",
    expands: true,
    async up(db) {
      await db.schema.alterTable("messages").addColumn("rating", "text").execute();
      await sql`create index messages_rating on messages (rating, timestamp) where rating is not null`.execute(db);
    },
  },
  {
    id: "010-temporary",
    expands: true,
    async up(db) {
      await db.schema
        .alterTable("sessions")
        .addColumn("is_temporary", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
      await sql`create index sessions_temporary on sessions (created_at) where is_temporary = 1`.execute(db);
    },
  },
  BROADCASTS_MIGRATION,
  {
    id: "012-several-characters",
    expands: true,
    async up(db) {
      await db.schema
        .alterTable("sessions")
        .addColumn("character_ids", "text", (column) => column.notNull().defaultTo(""))
        .execute();
    },
  },
];
