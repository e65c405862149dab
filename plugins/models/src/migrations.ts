import type { Migration } from "@parley/core";
import { type Kysely, sql } from "kysely";
import { addCacheTokens, createUsageTable } from "./usage/token-usage.ts";

/** Forward only; a released step is never changed. */
export const MODEL_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-as-of-0.1.0",
    replaces: ["001-token-usage", "002-embedding-cache"],
    async up(db) {
      await createUsageTable(db);
      await createEmbeddingTable(db);
    },
  },
  // Vectors are in a cache file since. Nodes of 0.2.0 still use the table, so the version after this one drops it.
  {
    id: "002-empty-embedding-cache",
    expands: true,
    up: async (db) => void (await sql`delete from embedding_cache`.execute(db)),
  },
  { id: "003-cached-tokens", expands: true, up: addCacheTokens },
];

async function createEmbeddingTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("embedding_cache")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("vector", "text", (column) => column.notNull())
    .addColumn("stored_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("embedding_cache_age").on("embedding_cache").columns(["stored_at", "key"]).execute();
}
