import { createHash } from "node:crypto";
import type { Logger, Write } from "@parley/core";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { type SearchFilter, toTableName } from "./dialect.ts";
import { toLabelQueries } from "./postgres-dialect.ts";

/** Maximum dimensions of a pgvector index. */
const MAX_DIMENSIONS = 4_000;
const PAGE = 200;
/** Runs a search with settings that last as long as the call, so that a filter does not end the search before enough is found. */
const CREATE_SEARCH_FUNCTION = `create or replace function text_index_nearest(statement text, arguments text[]) returns setof text
  language plpgsql stable set hnsw.ef_search = 400 set hnsw.iterative_scan = relaxed_order
  set hnsw.max_scan_tuples = 200000 set hnsw.scan_mem_multiplier = 8
  as 'begin return query execute statement using arguments; end'`;

export interface NearestQuery {
  readonly question: Float32Array;
  readonly filter: SearchFilter;
  readonly limit: number;
  /** Limits the search to these ids, and compares each of them. */
  readonly among: readonly string[] | undefined;
}

/**
 * A copy of the vectors for pgvector: an indexed table for each space. The original vectors remain authoritative, so
 * that losing the extension loses no data.
 */
export interface PgVectorTables {
  /** Returns writes to append to the one that stores these vectors. */
  storeWrites(space: string, vectors: ReadonlyMap<string, Float32Array>): readonly Write[];
  /** Returns the ids of the nearest vectors; undefined when the space is incomplete here or has too many dimensions. */
  findNearest(space: string, asked: NearestQuery): Promise<readonly string[] | undefined>;
  /** Starts importing vectors stored without the extension, and drops tables of removed spaces. */
  start(): Promise<void>;
}

export interface PgVectorTablesDeps {
  readonly name: string;
  readonly tables: () => Kysely<unknown>;
  readonly write: (writes: readonly Write[]) => Promise<unknown>;
  readonly log: Logger;
}

interface SpaceTable {
  readonly table: string;
  readonly dimensions: number;
  isWhole: boolean;
}

export function createPgVectorTables({ name, tables, write, log }: PgVectorTablesDeps): PgVectorTables {
  const [entries, vectors] = [toTableName(name), `${toTableName(name)}_vectors`];
  const known = new Map<string, Promise<SpaceTable | undefined>>();
  /** Spaces whose tables are known to exist. */
  const made = new Set<string>();
  const read = async <Row>(query: RawBuilder<unknown>): Promise<readonly Row[]> =>
    (await tables()
      .selectFrom(sql`(${query})`.as("found"))
      .selectAll()
      .execute()) as readonly unknown[] as readonly Row[];
  const toWrite = (query: RawBuilder<unknown>): Write => ({ query: { compile: () => query.compile(tables()) } });
  const stored = sql.table(vectors);
  const toSpaceTableName = (space: string) =>
    `${entries}_near_${createHash("sha256").update(space).digest("hex").slice(0, 10)}`;
  const createTableStatements = (table: string, dimensions: number): readonly Write[] =>
    [
      sql`create table if not exists ${sql.table(table)} (id text primary key references ${stored} (id) on delete cascade,
        near ${toHalfvecType(dimensions)} not null)`,
      sql`create index if not exists ${sql.raw(`${table}_hnsw`)} on ${sql.table(table)} using hnsw (near halfvec_cosine_ops)`,
    ].map(toWrite);
  const toInsertion = (
    table: string,
    space: string,
    dimensions: number,
    given: ReadonlyMap<string, Float32Array>,
  ): Write => {
    const rows = JSON.stringify([...given].map(([id, values]) => ({ id, near: toVectorText(values) })));
    return toWrite(sql`insert into ${sql.table(table)} (id, near) select v.id, g.near::${toHalfvecType(dimensions)}
      from json_to_recordset(${rows}::json) as g(id text, near text) join ${stored} v on v.id = g.id and v.space = ${space}
      on conflict (id) do update set near = excluded.near`);
  };
  const readMissing = (table: string, space: string, after: string) =>
    read<{ readonly id: string; readonly vector: string }>(sql`select id, vector from ${stored} v where space = ${space}
      and id > ${after} and not exists (select 1 from ${sql.table(table)} n where n.id = v.id) order by id limit ${PAGE}`);
  /** Copies in pages, so that writers do not wait long. */
  const backfill = async (space: string, { table, dimensions }: SpaceTable) => {
    let [after, count] = ["", 0];
    for (;;) {
      const rows = await readMissing(table, space, after);
      const last = rows.at(-1);
      if (!last) break;
      const page = new Map(rows.map(({ id, vector }) => [id, decodeVector(vector)]));
      await write([toInsertion(table, space, dimensions, page)]);
      [after, count] = [last.id, count + rows.length];
    }
    if (count > 0) log.info("vectors are indexed by pgvector", { space: name, vectors: count });
  };
  const findSpace = async (space: string): Promise<SpaceTable | undefined> => {
    const [one] = await read<{ readonly vector: string }>(
      sql`select vector from ${stored} where space = ${space} limit 1`,
    );
    if (!one) return undefined;
    const found: SpaceTable = {
      table: toSpaceTableName(space),
      dimensions: decodeVector(one.vector).length,
      isWhole: false,
    };
    if (found.dimensions > MAX_DIMENSIONS) return found;
    const [there] = await read<{ readonly is_table: number; readonly is_whole: number }>(
      sql`select to_regclass(${found.table}) is not null as is_table, exists (select 1 from pg_attribute
        where attrelid = to_regclass(${found.table}) and attname = 'near' and not attisdropped) as is_whole`,
    );
    // The column was dropped together with the extension.
    const dropping = there?.is_table && !there.is_whole ? [toWrite(sql`drop table ${sql.table(found.table)}`)] : [];
    if (!there?.is_whole) await write([...dropping, ...createTableStatements(found.table, found.dimensions)]);
    made.add(space);
    const taken = backfill(space, found).then(() => {
      found.isWhole = true;
    });
    taken.catch((error: unknown) => {
      known.delete(space);
      log.warn("vectors could not be indexed by pgvector", { space: name, error });
    });
    return found;
  };
  const getSpace = async (space: string): Promise<SpaceTable | undefined> => {
    const looking = known.get(space) ?? findSpace(space);
    known.set(space, looking);
    try {
      const found = await looking;
      // Nothing of the space is stored yet.
      if (!found) known.delete(space);
      return found;
    } catch (error) {
      known.delete(space);
      throw error;
    }
  };

  return {
    storeWrites(space, storedVectors) {
      const [first] = storedVectors.values();
      if (!first || first.length > MAX_DIMENSIONS) return [];
      const table = toSpaceTableName(space);
      const adds = toInsertion(table, space, first.length, storedVectors);
      if (made.has(space)) return [adds];
      getSpace(space).catch((error: unknown) => log.debug("vectors of pgvector were not looked for", { error }));
      return [...createTableStatements(table, first.length), adds];
    },
    async findNearest(space, { question, filter, limit, among }) {
      const found = await getSpace(space);
      if (!found?.isWhole || found.dimensions !== question.length) return undefined;
      const distance = `n.near <=> ($1)[1]::halfvec(${found.dimensions})`;
      const { labels, since, until } = filter;
      const wanted = [
        ...(labels.length > 0 ? ["e.words @@ to_tsquery('simple', ($1)[3])"] : []),
        ...(since !== undefined ? ["e.said_at >= ($1)[4]::bigint"] : []),
        ...(until !== undefined ? ["e.said_at < ($1)[5]::bigint"] : []),
      ];
      const text = among
        ? // No index provides this order, so each vector is compared.
          `select n.id from ${found.table} n join ${vectors} v on v.id = n.id and v.space = ($1)[2]
            where n.id = any(($1)[6:]) order by (${distance}) + 0 limit ${limit}`
        : `select n.id from ${found.table} n join ${vectors} v on v.id = n.id and v.space = ($1)[2]
            ${wanted.length > 0 ? `join ${entries} e on e.id = n.id where ${wanted.join(" and ")}` : ""} order by ${distance} limit ${limit}`;
      const values = [toVectorText(question), space, toLabelQueries(filter).join(" & "), since ?? null, until ?? null];
      const rows = await read<{ readonly id: string }>(
        sql`select id from text_index_nearest(${text}, ${toTextArray([...values, ...(among ?? [])])}::text[]) as id`,
      );
      return rows.map(({ id }) => id);
    },
    async start() {
      // The server knows the extension's settings only after one of its types was used.
      await write([toWrite(sql`select '[1]'::halfvec`), toWrite(sql.raw(CREATE_SEARCH_FUNCTION))]);
      const spaces = await read<{ readonly space: string }>(sql`select distinct space from ${stored}`);
      const used = new Set(spaces.map(({ space }) => toSpaceTableName(space)));
      const there = await read<{ readonly name: string }>(
        sql`select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
          and starts_with(relname, ${`${entries}_near_`})`,
      );
      const unused = there.filter(({ name: one }) => !used.has(one));
      if (unused.length > 0)
        await write(unused.map(({ name: one }) => toWrite(sql`drop table if exists ${sql.table(one)}`)));
      for (const { space } of spaces) await getSpace(space);
    },
  };
}

function toHalfvecType(dimensions: number): RawBuilder<unknown> {
  return sql.raw(`halfvec(${dimensions})`);
}

function toVectorText(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}

/** Formats an array literal of PostgreSQL. */
function toTextArray(values: readonly (string | number | null)[]): string {
  const quoteText = (value: string | number) => `"${String(value).replaceAll(/[\\"]/g, "\\$&")}"`;
  return `{${values.map((value) => (value === null ? "NULL" : quoteText(value))).join(",")}}`;
}

function decodeVector(text: string): Float32Array {
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  return new Float32Array(bytes.buffer);
}
