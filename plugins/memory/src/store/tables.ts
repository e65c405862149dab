import type { Memory, Migration } from "@parley/core";

type Times = "created_at" | "updated_at" | "said_at" | "expires_at" | "replaced_at" | "last_recalled_at";

/** A memory as a row; times are milliseconds, lists and objects JSON. */
export interface MemoryRow extends Omit<Memory, Times | "tags" | "emotion_impact"> {
  readonly tags: string;
  readonly emotion_impact: string;
  readonly created_at: number | string;
  readonly updated_at: number | string;
  readonly said_at: number | string;
  readonly expires_at: number | string | null;
  readonly replaced_at: number | string | null;
  readonly last_recalled_at: number | string | null;
  /** Key of person, character and fact while the memory is active; unique. */
  readonly fact_key: string | null;
  /** Equal for equal contents. */
  readonly content_key: string;
}

export interface MemoryTables {
  readonly memories: MemoryRow;
}

/** Forward only; a released step is never changed. */
export const MEMORY_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-memories",
    async up(db) {
      await db.schema
        .createTable("memories")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("title", "text", (column) => column.notNull())
        .addColumn("content", "text", (column) => column.notNull())
        .addColumn("summary", "text", (column) => column.notNull())
        .addColumn("type", "text", (column) => column.notNull())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("character_id", "text")
        .addColumn("character_name", "text", (column) => column.notNull())
        .addColumn("target_id", "text")
        .addColumn("session_id", "text")
        .addColumn("message_id", "text")
        .addColumn("priority", "text", (column) => column.notNull())
        .addColumn("importance", "integer", (column) => column.notNull())
        .addColumn("expire_days", "integer", (column) => column.notNull())
        .addColumn("expires_at", "bigint")
        .addColumn("tags", "text", (column) => column.notNull())
        .addColumn("emotion_impact", "text", (column) => column.notNull())
        .addColumn("source", "text", (column) => column.notNull())
        .addColumn("source_turn_id", "text")
        .addColumn("said_at", "bigint", (column) => column.notNull())
        .addColumn("replaced_at", "bigint")
        .addColumn("replaced_by", "text")
        .addColumn("last_recalled_at", "bigint")
        .addColumn("recall_count", "integer", (column) => column.notNull())
        .addColumn("fact", "text")
        .addColumn("fact_key", "text", (column) => column.unique())
        .addColumn("content_key", "text", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .addColumn("revision", "integer", (column) => column.notNull())
        .execute();
      const indexes = {
        created: ["created_at", "id"],
        person: ["target_id", "fact"],
        character: ["character_id"],
        session: ["session_id"],
        message: ["message_id"],
        replaced: ["replaced_by"],
        expires: ["expires_at"],
        content: ["content_key"],
      };
      for (const [name, columns] of Object.entries(indexes)) {
        await db.schema.createIndex(`memories_${name}`).on("memories").columns(columns).execute();
      }
    },
  },
];
