import { createHash } from "node:crypto";
import { type Clock, type Database, fixedStatement, type Logger } from "@parley/core";
import type { Kysely } from "kysely";

const MAX_ROWS = 20_000;
/** Rows added between checks of the size limit. */
const TRIM_INTERVAL_ROWS = 500;
const READ_BATCH_SIZE = 200;

interface CacheTables {
  readonly embedding_cache: { readonly key: string; readonly vector: string; readonly stored_at: number };
}

/** Creates the table of cached vectors. */
export async function createEmbeddingTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("embedding_cache")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("vector", "text", (column) => column.notNull())
    .addColumn("stored_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("embedding_cache_age").on("embedding_cache").columns(["stored_at", "key"]).execute();
}

const INSERT_SQL = `insert into embedding_cache ("key", vector, stored_at) values (?, ?, ?) on conflict ("key")
  do update set vector = excluded.vector, stored_at = excluded.stored_at`;

/** Vectors that were paid for, by text and model; the ones stored first go first. */
export interface EmbeddingCache {
  /** Returns the cached vectors by the index of their text. */
  read(space: string, texts: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /** Replaces the cached vectors of these texts. Written with a delay; a lost one is only requested again. */
  add(space: string, vectors: ReadonlyMap<string, Float32Array>): void;
  /** Resolves when everything added is on disk. */
  flush(): Promise<void>;
}

export interface EmbeddingCacheDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly maxRows?: number;
  readonly trimEvery?: number;
}

export function createEmbeddingCache(deps: EmbeddingCacheDeps): EmbeddingCache {
  const { database, clock, log, maxRows = MAX_ROWS, trimEvery = TRIM_INTERVAL_ROWS } = deps;
  const tables = () => database.tables<CacheTables>();
  let writing: Promise<void> = Promise.resolve();
  // Checked at the first write, since an earlier process may have left too many.
  let untrimmed = trimEvery;

  const trim = async () => {
    const row = await tables()
      .selectFrom("embedding_cache")
      .select(({ fn }) => fn.countAll<number>().as("rows"))
      .executeTakeFirst();
    const surplus = Number(row?.rows ?? 0) - maxRows;
    if (surplus <= 0) return;
    const oldest = tables()
      .selectFrom("embedding_cache")
      .select("key")
      .orderBy("stored_at")
      .orderBy("key")
      .limit(surplus);
    await database.write([{ query: tables().deleteFrom("embedding_cache").where("key", "in", oldest) }]);
  };
  const store = async (space: string, vectors: ReadonlyMap<string, Float32Array>) => {
    const now = clock.now();
    await database.write(
      [...vectors].map(([text, vector]) => ({
        query: fixedStatement(INSERT_SQL, [toCacheKey(space, text), encodeVector(vector), now]),
      })),
    );
    untrimmed += vectors.size;
    if (untrimmed < trimEvery) return;
    untrimmed = 0;
    await trim();
  };

  return {
    async read(space, texts) {
      // Joins a running request, so that it is not paid for twice.
      await writing;
      const wanted = new Map(texts.map((text) => [toCacheKey(space, text), text]));
      const keys = [...wanted.keys()];
      const found = new Map<string, Float32Array>();
      for (let at = 0; at < keys.length; at += READ_BATCH_SIZE) {
        const rows = await tables()
          .selectFrom("embedding_cache")
          .select(["key", "vector"])
          .where("key", "in", keys.slice(at, at + READ_BATCH_SIZE))
          .execute();
        for (const { key, vector } of rows) found.set(wanted.get(key) ?? "", decodeVector(vector));
      }
      return found;
    },
    add(space, vectors) {
      writing = writing
        .then(() => store(space, vectors))
        .catch((error: unknown) => log.warn("vectors could not be cached", { error }));
    },
    flush: () => writing,
  };
}

function toCacheKey(space: string, text: string): string {
  return createHash("sha256").update(`${space}\n${text}`).digest("base64url");
}

/** 32-bit floats, little-endian on every machine this runs on. */
export function encodeVector(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

export function decodeVector(text: string): Float32Array {
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  return new Float32Array(bytes.buffer);
}
