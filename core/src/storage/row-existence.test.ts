import { expect, test } from "vitest";
import { createRowExistence } from "./row-existence.ts";

function createTable(isShared = false) {
  const table = { rows: 0, readCount: 0, timeMs: 0 };
  const existence = createRowExistence({
    async find() {
      table.readCount += 1;
      return table.rows > 0;
    },
    isShared: () => isShared,
    nowMs: () => table.timeMs,
  });
  return { table, existence };
}

test("an empty table is asked once in half a minute, a filled one never again", async () => {
  const { table, existence } = createTable();
  expect(existence.isPossible()).toBe(true);
  expect(await existence.check()).toBe(false);
  expect(existence.isPossible()).toBe(false);
  expect(await existence.check()).toBe(false);
  expect(table.readCount).toBe(1);
  table.rows = 1;
  table.timeMs = 30_000;
  expect(existence.isPossible()).toBe(true);
  expect(await existence.check()).toBe(true);
  expect(await existence.check()).toBe(true);
  expect(table.readCount).toBe(2);
});

test("a row announced while the table is read counts", async () => {
  const { existence } = createTable();
  const checking = existence.check();
  existence.expectRow();
  expect(await checking).toBe(true);
  expect(existence.isPossible()).toBe(true);
});

test("a table that other processes share is asked each time while it is empty", async () => {
  const { table, existence } = createTable(true);
  expect(await existence.check()).toBe(false);
  table.rows = 1;
  expect(existence.isPossible()).toBe(true);
  expect(await existence.check()).toBe(true);
});
