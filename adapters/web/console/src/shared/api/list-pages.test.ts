import { expect, test } from "vitest";
import { mergePages, readAllPages, readWholeList, toNextStart } from "./list-pages.ts";

interface Row {
  readonly id: string;
  readonly at: number;
}
const byTime = (one: Row, other: Row) => other.at - one.at;
const page = (ats: readonly number[], next_cursor: string | null, total = ats.length) => ({
  items: ats.map((at) => ({ id: `r${at}`, at })),
  next_cursor,
  total,
});
const getId = ({ id }: Row) => id;
const atsOf = ({ items }: { readonly items: readonly Row[] }) => items.map(({ at }) => at);

test("rows that a new row pushes off the page stay visible, before the next page", () => {
  const after = mergePages(page([9, 8, 7], "c7", 7), page([8, 7, 6], "c6", 6), getId, byTime);
  expect(atsOf(after)).toEqual([9, 8, 7, 6]);
  expect(after).toMatchObject({ next_cursor: "c6", total: 7 });
});

test("rows that are gone from the first page disappear, and a row that moved up is shown there", () => {
  const before = { ...page([8, 7, 6, 5], "c5", 9) };
  const moved = { items: [{ id: "r5", at: 9 }, ...page([8, 6], null).items], next_cursor: "c6", total: 8 };
  expect(mergePages(moved, before, getId, byTime).items.map(({ id }) => id)).toEqual(["r5", "r8", "r6"]);
});

test("a list that was replaced, or whose rest is unknown, starts again", () => {
  const other = page([30, 29, 28], "c28", 60);
  expect(mergePages(other, page([8, 7, 6], "c6", 6), getId, byTime)).toBe(other);
  const grown = page([30, 8], "c8", 5);
  expect(mergePages(grown, page([8, 2], null), getId, byTime)).toBe(grown);
  const ended = page([8], null);
  expect(mergePages(ended, page([8, 7, 6], "c6", 6), getId, byTime)).toBe(ended);
});

test("a list that fit one page stays complete when it grows beyond one", () => {
  const after = mergePages(page([9, 8, 7], "c7", 4), page([8, 7, 6], null), getId, byTime);
  expect(atsOf(after)).toEqual([9, 8, 7, 6]);
  expect(after.next_cursor).toBeNull();
});

test("a list is read to its end along its offsets or its cursors, and an item that moved up occurs once", async () => {
  const rows = page([9, 8, 7, 6, 5, 4, 3], null).items;
  const asked: (number | string)[] = [];
  const byOffset = await readAllPages<Row>(async ({ offset }) => {
    asked.push(offset);
    // Between the two requests a row was added above, so the second page begins with the last row of the first.
    return { items: offset === 0 ? rows.slice(0, 4) : rows.slice(3), total: 501 };
  }, getId);
  expect(byOffset).toEqual(rows);
  const byCursor = await readAllPages<Row>(async (_page, cursor) => {
    asked.push(cursor);
    return cursor === "" ? page([9, 8], "c8") : page([7], null);
  }, getId);
  expect(byCursor.map(({ at }) => at)).toEqual([9, 8, 7]);
  expect(asked).toEqual([0, 500, "", "c8"]);
});

test("an empty page is the last one, whatever the total says", () => {
  expect(toNextStart({ items: [], total: 900 }, { offset: 50, cursor: "" }, 50)).toBeUndefined();
  expect(toNextStart({ items: [1], total: 51 }, { offset: 0, cursor: "" }, 50)).toEqual({ offset: 50, cursor: "" });
  expect(toNextStart({ items: [1], total: 50 }, { offset: 0, cursor: "" }, 50)).toBeUndefined();
});

test("a whole list is read page by page, and rows that moved meanwhile are in it once", async () => {
  const all = Array.from({ length: 1_200 }, (_, at) => ({ id: `r${at}` }));
  const asked: number[] = [];
  const { items } = await readWholeList(async ({ limit, offset }) => {
    asked.push(offset);
    // A new row pushes the others down after the first page.
    const rows = offset === 0 ? all : [{ id: "new" }, ...all];
    return { items: rows.slice(offset, offset + limit), total: rows.length };
  });
  expect(asked).toEqual([0, 500, 1_000]);
  expect(items.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
});
