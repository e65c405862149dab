import type { Database } from "@parley/core";
import { type TableShape, tablesIn } from "@parley/core/storage";
import { memoryDatabases } from "@parley/testing";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { copyTable, findDifference, type TableCopy } from "./copy-table.ts";
import { finishMove, readMoveIdentity, startMove } from "./progress.ts";
import { createTablePages } from "./table-pages.ts";

const COLUMNS = ["id", "part", "text", "size"];

let from: Database;
let to: Database;
beforeEach(async () => {
  [from, to] = [memoryDatabases().main, memoryDatabases().main];
  for (const each of [from, to]) {
    await sql`create table notes (part text not null, id integer not null, text text, size double precision,
      unique (part, id))`.execute(each.tables());
  }
});

const insert = (rows: readonly object[]) => {
  const tables = from.tables<{ notes: object }>();
  return from.write(rows.map((row) => ({ query: tables.insertInto("notes").values(row) })));
};
const notes = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, part: id % 2 ? "a" : "b", text: `note ${id}`, size: id / 3 }));
const copyOf = async (more: Partial<TableCopy> = {}): Promise<TableCopy> => {
  const [here, there] = await Promise.all([tablesIn(from), tablesIn(to)]);
  const [shape, again] = [here.get("notes"), there.get("notes")] as [TableShape, TableShape];
  const ends = { from: createTablePages(from, shape, COLUMNS), to, copied: createTablePages(to, again, COLUMNS) };
  return { table: "notes", columns: COLUMNS, ...ends, ...more };
};

test("an interrupted copy resumes after the last stored row", async () => {
  await insert(notes(1_200));
  let writes = 0;
  const dying: Database = {
    ...to,
    write: (batch) => (++writes === 2 ? Promise.reject(new Error("killed")) : to.write(batch)),
  };
  await expect(copyTable(await copyOf({ to: dying }), await startMove(to, "x"))).rejects.toThrow("killed");
  const begun = await to.tables<{ notes: object }>().selectFrom("notes").selectAll().execute();
  expect(begun).toHaveLength(500);
  expect(await readMoveIdentity(to)).toBe("x");
  expect(await copyTable(await copyOf(), await startMove(to, "x"))).toBe(1_200);
  expect(await findDifference(await copyOf())).toBeUndefined();
  await finishMove(to);
  expect(await readMoveIdentity(to)).toBeUndefined();
});

test("rows that change during a copy are reported", async () => {
  await insert(notes(20));
  await copyTable(await copyOf(), await startMove(to, "x"));
  await sql`update notes set text = 'another' where id = 7`.execute(from.tables());
  expect(await findDifference(await copyOf())).toBe("notes: its 20 rows are not those that were copied");
  await sql`delete from notes where id = 7`.execute(from.tables());
  expect(await findDifference(await copyOf())).toBe("notes: 19 rows were copied, and 20 are there");
});

test("large rows are read in small batches", async () => {
  await insert(notes(7).map((one) => ({ ...one, text: String(one.id).repeat(3 * 1024 * 1024) })));
  const copy = await copyOf();
  const pages: number[] = [];
  for (let page = await copy.from(undefined); page; page = await copy.from(page.last)) pages.push(page.rows.length);
  expect(pages).toEqual([2, 2, 2, 1]);
});

test("U+0000, which PostgreSQL does not store, is removed; everything else stays", async () => {
  await insert([{ id: 1, part: "a", text: "be\0fore", size: null }]);
  await copyTable(await copyOf(), await startMove(to, "x"));
  const rows = await to.tables<{ notes: object }>().selectFrom("notes").selectAll().execute();
  expect(rows).toEqual([{ id: 1, part: "a", text: "before", size: null }]);
  expect(await findDifference(await copyOf())).toBeUndefined();
});
