import { AppError, type Database, type StoredTexts } from "@parley/core";
import { isPostgres, queryRows, type TableShape } from "@parley/core/storage";
import { sql } from "kysely";
import type { Row } from "./row-checksum.ts";

const MAX_ROWS = 500;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_PASSAGES = 200;
const WIDE_TYPE = /^(text|character varying|bytea|blob)/;

/** The values of a key in the order of its columns. */
export type Key = readonly (string | number)[];

export interface Page {
  readonly rows: readonly Row[];
  readonly last: Key;
}

/** Reads a table in the order of its key, in pages that fit into memory; undefined after the last row. */
export type Pages = (after: Key | undefined) => Promise<Page | undefined>;

/** Creates the page reader of a table; `columns` selects columns. */
export function createTablePages(
  database: Database,
  { name, columns: all, key }: TableShape,
  columns: readonly string[],
): Pages {
  if (key.length === 0) throw new AppError("internal", `the rows of '${name}' cannot be told apart`);
  const table = sql.table(name);
  const inOrder = sql.join(key.map((one) => sql.ref(one)));
  const toPosition = (after: Key | undefined) => (after ? sql`(${inOrder}) > (${sql.join(after)})` : sql`true`);
  const wide = all.filter((one) => columns.includes(one.name) && (WIDE_TYPE.test(one.type) || !isPostgres(database)));
  const size = sql.join([sql`0`, ...wide.map((one) => sql`coalesce(octet_length(${sql.ref(one.name)}), 0)`)], sql` + `);
  return async (after) => {
    const ahead = await queryRows(
      database,
      sql<Row & { readonly row_bytes: number }>`select ${inOrder}, ${size} as row_bytes from ${table}
        where ${toPosition(after)} order by ${inOrder} limit ${MAX_ROWS}`,
    );
    const end = ahead[countFitting(ahead.map(({ row_bytes }) => Number(row_bytes))) - 1];
    if (!end) return undefined;
    const last = key.map((one) => end[one] as string | number);
    const wanted = sql.join(columns.map((one) => sql.ref(one)));
    const rows = await queryRows(
      database,
      sql<Row>`select ${wanted} from ${table} where ${toPosition(after)} and (${inOrder}) <= (${sql.join(last)}) order by ${inOrder}`,
    );
    return { rows, last };
  };
}

/** Creates the page reader of a text space. */
export function createPassagePages(texts: StoredTexts, space: string): Pages {
  return async (after) => {
    const found = await texts.passages(space, Number(after?.[0] ?? 0), MAX_PASSAGES);
    const rows = found.map((one) => ({ ...one, seq: Number(one.seq), said_at: Number(one.said_at) }));
    const last = rows.at(-1);
    return last && { rows, last: [last.seq] };
  };
}

/** Returns the count of rows that fit on a page; at least one. */
function countFitting(bytes: readonly number[]): number {
  let sum = 0;
  const tooMany = bytes.findIndex((one) => {
    sum += one;
    return sum > MAX_BYTES;
  });
  return tooMany < 0 ? bytes.length : Math.max(1, tooMany);
}
