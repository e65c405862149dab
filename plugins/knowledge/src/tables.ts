import type { Migration } from "@parley/core";
import type { IndexStatus } from "./schema.ts";

export interface DocumentRow {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  /** A JSON array. */
  readonly tags: string;
  readonly base_id: string;
  /** A JSON object. */
  readonly metadata: string;
  readonly preview: string;
  /** Length of the content in code points. */
  readonly size: number;
  readonly chunk_count: number;
  readonly index_status: IndexStatus;
  readonly index_error: string | null;
  /** JSON of the localized detail of the error. */
  readonly index_error_detail: string | null;
  readonly index_model: string | null;
  /** Identity of the model at that time; null when not indexed, or indexed before identities were stored. */
  readonly made_by: string | null;
  /** Version of the indexed text; results for an older version are discarded. */
  readonly text_version: number;
  /** In epoch milliseconds. */
  readonly created_at: number | string;
  readonly updated_at: number | string;
  readonly revision: number;
}

export interface KnowledgeTables {
  readonly knowledge_documents: DocumentRow;
  /** Contents are in a separate table, because lists do not need them. */
  readonly knowledge_contents: { readonly id: string; readonly content: string };
}

export const KNOWLEDGE_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-as-of-0.1.0",
    replaces: ["001-documents", "002-vectors-by-address"],
    async up(db) {
      await db.schema
        .createTable("knowledge_documents")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("title", "text", (column) => column.notNull())
        .addColumn("source", "text", (column) => column.notNull())
        .addColumn("tags", "text", (column) => column.notNull())
        .addColumn("base_id", "text", (column) => column.notNull())
        .addColumn("metadata", "text", (column) => column.notNull())
        .addColumn("preview", "text", (column) => column.notNull())
        .addColumn("size", "integer", (column) => column.notNull())
        .addColumn("chunk_count", "integer", (column) => column.notNull())
        .addColumn("index_status", "text", (column) => column.notNull())
        .addColumn("index_error", "text")
        .addColumn("index_model", "text")
        .addColumn("text_version", "integer", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .addColumn("revision", "integer", (column) => column.notNull())
        .execute();
      const indexes = {
        created: ["created_at", "id"],
        base: ["base_id"],
        status: ["index_status", "id"],
        source: ["source"],
      };
      for (const [name, columns] of Object.entries(indexes)) {
        await db.schema.createIndex(`knowledge_documents_${name}`).on("knowledge_documents").columns(columns).execute();
      }
      await db.schema
        .createTable("knowledge_contents")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("content", "text", (column) => column.notNull())
        .execute();
    },
  },
  {
    id: "003-made-by",
    up: async (db) => {
      await db.schema.alterTable("knowledge_documents").addColumn("made_by", "text").execute();
    },
  },
  {
    id: "004-error-in-any-language",
    expands: true,
    up: async (db) => {
      await db.schema.alterTable("knowledge_documents").addColumn("index_error_detail", "text").execute();
    },
  },
];
