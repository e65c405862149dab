import type { Database, Write } from "@parley/core";
import type { Progress } from "./progress.ts";
import { addRows, NO_ROWS, type Row, type RowChecksum } from "./row-checksum.ts";
import type { Pages } from "./table-pages.ts";

/** Maximum count of parameters of one statement on either engine. */
const MAX_PARAMETERS = 30_000;

/** One table to copy, with its reader and writer. */
export interface TableCopy {
  readonly table: string;
  readonly columns: readonly string[];
  readonly from: Pages;
  readonly to: Database;
  /** Pages of the rows in the target, for the comparison. */
  readonly copied: Pages;
  /** Returns the statements that insert rows; default: unchanged. */
  readonly toWrites?: (rows: readonly Row[]) => readonly Write[];
}

/** Copies the missing rows, each page in one transaction with its progress. Returns the count of copied rows. */
export async function copyTable(
  { table, columns, from, to, toWrites }: TableCopy,
  progress: Progress,
): Promise<number> {
  const begun = await progress.copied(table);
  if (begun?.isWhole) return begun.rows;
  let sum: RowChecksum = begun ?? NO_ROWS;
  let after = begun?.after;
  for (;;) {
    const page = await from(after);
    if (!page) break;
    const rows = page.rows.map(removeNuls);
    sum = addRows(sum, rows, columns);
    after = page.last;
    const writes = toWrites?.(rows) ?? toInsertWrites(to, table, rows, columns.length);
    await to.write([...writes, progress.toProgressWrite(table, { ...sum, after, isWhole: false })]);
  }
  await to.write([progress.toProgressWrite(table, { ...sum, after, isWhole: true })]);
  return sum.rows;
}

/** Returns the statements that insert rows with these columns. */
export function toInsertWrites(to: Database, table: string, rows: readonly Row[], columns: number): readonly Write[] {
  const most = Math.floor(MAX_PARAMETERS / columns);
  const tables = to.tables<Readonly<Record<string, Row>>>();
  const writes: Write[] = [];
  for (let at = 0; at < rows.length; at += most) {
    writes.push({ query: tables.insertInto(table).values(rows.slice(at, at + most) as never) });
  }
  return writes;
}

/** Compares all rows of both sides; returns a sentence about the difference, undefined when they are equal. */
export async function findDifference({ table, columns, from, copied }: TableCopy): Promise<string | undefined> {
  const [source, target] = [await sumRows(from, columns), await sumRows(copied, columns)];
  if (source.rows !== target.rows) return `${table}: ${source.rows} rows were copied, and ${target.rows} are there`;
  return source.sum === target.sum ? undefined : `${table}: its ${target.rows} rows are not those that were copied`;
}

async function sumRows(pages: Pages, columns: readonly string[]): Promise<RowChecksum> {
  let sum = NO_ROWS;
  for (let page = await pages(undefined); page; page = await pages(page.last)) {
    sum = addRows(sum, page.rows.map(removeNuls), columns);
  }
  return sum;
}

/** Returns a row without U+0000 in its texts, which none of our engines stores. */
function removeNuls(row: Row): Row {
  const hasNul = Object.values(row).some((value) => typeof value === "string" && value.includes("\0"));
  if (!hasNul) return row;
  const clean = (value: unknown) => (typeof value === "string" ? value.replaceAll("\0", "") : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, clean(value)]));
}
