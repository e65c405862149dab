import type { Migration } from "@parley/core";

/** One message between an account and its companion. */
export interface AvatarRow {
  readonly id: string;
  readonly account_id: string;
  readonly role: "user" | "assistant";
  readonly content: string;
  /** Milliseconds. */
  readonly created_ms: number | string;
}

export interface AvatarTables {
  readonly avatar_messages: AvatarRow;
}

export const AVATAR_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-avatar-messages",
    async up(db) {
      await db.schema
        .createTable("avatar_messages")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("account_id", "text", (column) => column.notNull())
        .addColumn("role", "text", (column) => column.notNull())
        .addColumn("content", "text", (column) => column.notNull())
        .addColumn("created_ms", "bigint", (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex("avatar_messages_account")
        .on("avatar_messages")
        .columns(["account_id", "created_ms", "id"])
        .execute();
    },
  },
];
