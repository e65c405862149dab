import type { Write } from "@parley/core";
import { cosine } from "@parley/core/text";
import type { Kysely } from "kysely";
import { type SearchFilter, toTableName } from "./dialect.ts";
import type { IndexThread } from "./index-thread.ts";
import type { PgVectorTables } from "./pgvector-tables.ts";
import { toBinaryCode } from "./vector-codes.ts";

/** Maximum number of candidates by code that are compared by their full vectors. */
const MAX_RESCORED = 300;
/** The same maximum when only some entries are eligible. */
const MAX_RESCORED_AMONG = 100;
const PAGE_SIZE = 2_000;
/** Maximum delay between creating and storing a write. */
const MAX_WRITE_DELAY_MS = 60_000;

interface VectorRow {
  readonly id: string;
  /** Space of the model; only vectors of one space are compared. */
  readonly space: string;
  /** The vector scaled to length 1, as 32-bit floats, little-endian, base64. */
  readonly vector: string;
  readonly code: string;
  /** In epoch milliseconds. */
  readonly stored_at: number | string;
}
type VectorTables = Readonly<Record<string, VectorRow>>;

/** Creates the table of the vectors of a space. */
export async function createVectorTable(db: Kysely<unknown>, name: string): Promise<void> {
  const table = `${toTableName(name)}_vectors`;
  await db.schema
    .createTable(table)
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("space", "text", (column) => column.notNull())
    .addColumn("vector", "text", (column) => column.notNull())
    .addColumn("code", "text", (column) => column.notNull())
    .addColumn("stored_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex(`${table}_age`).on(table).columns(["space", "stored_at", "id"]).execute();
}

export interface VectorStore {
  storeWrites(space: string, vectors: ReadonlyMap<string, Float32Array>): readonly Write[];
  /** Returns the nearest passages with their cosines, nearest first. */
  findNearest(space: string, question: Float32Array, among: SearchScope): Promise<ReadonlyMap<string, number>>;
  /** Returns the ids of passages without a vector of this space. */
  findMissingIds(space: string, limit: number): Promise<readonly string[]>;
  /** Returns the cosines of those of these passages that have a vector of the space. */
  getSimilarities(space: string, ids: readonly string[], question: Float32Array): Promise<ReadonlyMap<string, number>>;
}

export interface SearchScope {
  /** Eligible ids, if they are few; then only these are compared. */
  readonly ids?: readonly string[] | undefined;
  /** Filter; entries outside it may be returned where checking costs more than filtering later. */
  readonly filter: SearchFilter;
}

export interface VectorStoreDeps {
  readonly name: string;
  readonly tables: () => Kysely<unknown>;
  readonly thread: IndexThread;
  readonly now: () => number;
  /** Returns the tables of pgvector; undefined without the extension. */
  readonly getPgVectorTables: () => PgVectorTables | undefined;
}

export function createVectorStore({ name, tables, thread, now, getPgVectorTables }: VectorStoreDeps): VectorStore {
  const table = `${toTableName(name)}_vectors`;
  const db = () => tables() as Kysely<VectorTables>;
  const known = new Map<string, { readonly generation: number; readonly until: number }>();
  let loading: Promise<void> = Promise.resolve();

  /** Sends the thread codes stored since the last call. */
  const load = async (space: string) => {
    const before = known.get(space);
    const isFresh = before?.generation === thread.getGeneration() && before.generation > 0;
    let from = { at: isFresh ? before.until - MAX_WRITE_DELAY_MS : 0, id: "" };
    for (;;) {
      const rows = await db()
        .selectFrom(table)
        .select(["id", "code", "stored_at"])
        .where("space", "=", space)
        .where(({ eb, or, and }) =>
          or([eb("stored_at", ">", from.at), and([eb("stored_at", "=", from.at), eb("id", ">", from.id)])]),
        )
        .orderBy("stored_at")
        .orderBy("id")
        .limit(PAGE_SIZE)
        .execute();
      const last = rows.at(-1);
      if (!last) break;
      const codes = rows.map(({ code }) => new Uint8Array(Buffer.from(code, "base64")));
      await thread.run<"codes">({ kind: "codes", space: `${name} ${space}`, ids: rows.map(({ id }) => id), codes });
      from = { at: Number(last.stored_at), id: last.id };
    }
    known.set(space, { generation: thread.getGeneration(), until: Math.max(from.at, before?.until ?? 0) });
  };
  const computeSimilarities: VectorStore["getSimilarities"] = async (space, ids, question) => {
    const wanted = toUnitVector(question);
    const found = new Map<string, number>();
    for (let at = 0; at < ids.length; at += MAX_RESCORED) {
      const rows = await db()
        .selectFrom(table)
        .select(["id", "vector"])
        .where("space", "=", space)
        .where("id", "in", ids.slice(at, at + MAX_RESCORED))
        .execute();
      for (const { id, vector } of rows) {
        const values = decodeVector(vector);
        if (values.length === wanted.length) found.set(id, cosine(wanted, values));
      }
    }
    return found;
  };
  const findByCodes = async (space: string, question: Float32Array, limit: number, among?: readonly string[]) => {
    // Loads run one after another, so that no change is reported twice.
    loading = loading.then(
      () => load(space),
      () => load(space),
    );
    await loading;
    const code = toBinaryCode(question);
    return thread.run<"nearest">({ kind: "nearest", space: `${name} ${space}`, code, limit, among });
  };

  return {
    getSimilarities: computeSimilarities,
    async findMissingIds(space, limit) {
      const entries = toTableName(name);
      const rows = await db()
        .selectFrom(entries)
        .select("id")
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom(`${table} as v`)
                .select("v.id")
                .whereRef("v.id", "=", `${entries}.id`)
                .where("v.space", "=", space),
            ),
          ),
        )
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    storeWrites(space, vectors) {
      const units = new Map([...vectors].map(([id, vector]) => [id, toUnitVector(vector)]));
      const writes = [...units].map(([id, values]) => {
        const row = {
          space,
          vector: encodeVector(values),
          code: Buffer.from(toBinaryCode(values)).toString("base64"),
          stored_at: now(),
        };
        const query = db()
          .insertInto(table)
          .columns(["id", "space", "vector", "code", "stored_at"])
          // The vector of a passage that was deleted meanwhile is not stored.
          .expression((eb) =>
            eb
              .selectFrom(toTableName(name))
              .where("id", "=", id)
              .select(({ val, cast }) => [
                "id",
                val(row.space).as("space"),
                val(row.vector).as("vector"),
                val(row.code).as("code"),
                cast<number>(val(row.stored_at), "bigint").as("stored_at"),
              ]),
          )
          .onConflict((conflict) => conflict.column("id").doUpdateSet(row));
        return { query };
      });
      return [...writes, ...(getPgVectorTables()?.storeWrites(space, units) ?? [])];
    },
    async findNearest(space, question, { ids, filter }) {
      const limit = ids ? MAX_RESCORED_AMONG : MAX_RESCORED;
      const found = await getPgVectorTables()?.findNearest(space, {
        question: toUnitVector(question),
        filter,
        limit,
        among: ids,
      });
      const nearest = found ?? (await findByCodes(space, question, limit, ids));
      return new Map([...(await computeSimilarities(space, nearest, question))].sort((a, b) => b[1] - a[1]));
    },
  };
}

function toUnitVector(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

function encodeVector(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

function decodeVector(text: string): Float32Array {
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  return new Float32Array(bytes.buffer);
}
