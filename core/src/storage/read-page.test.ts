import { memoryDatabase } from "@parley/testing";
import { expect, test } from "vitest";
import { countRows, readPage } from "./read-page.ts";

interface Tables {
  readonly things: { readonly id: string; readonly size: number };
}

async function openThings(count: number) {
  const database = memoryDatabase();
  await database.migrate("things", [
    {
      id: "001-things",
      up: (db) => db.schema.createTable("things").addColumn("id", "text").addColumn("size", "integer").execute(),
    },
  ]);
  const tables = database.tables<Tables>();
  const values = Array.from({ length: count }, (_, index) => ({ id: `t${index}`, size: index }));
  await database.write([{ query: tables.insertInto("things").values(values) }]);
  return tables.selectFrom("things");
}

test("a page has its rows in order, and counts all that match", async () => {
  const rows = (await openThings(9)).where("size", ">=", 2);
  const page = await readPage(rows, { limit: 3, offset: 2 }, (all) => all.select("id").orderBy("size", "desc"));
  expect(page).toEqual({ items: [{ id: "t6" }, { id: "t5" }, { id: "t4" }], total: 7, limit: 3, offset: 2 });
  expect(await countRows(rows)).toBe(7);
});

test("a page has at most 500 rows, and one beyond the end none", async () => {
  const rows = await openThings(501);
  const first = await readPage(rows, { limit: 9_000, offset: 0 }, (all) => all.selectAll().orderBy("size"));
  expect([first.items.length, first.total, first.limit]).toEqual([500, 501, 500]);
  const beyond = await readPage(rows, { limit: 50, offset: 900 }, (all) => all.selectAll().orderBy("size"));
  expect(beyond).toEqual({ items: [], total: 501, limit: 50, offset: 900 });
});
