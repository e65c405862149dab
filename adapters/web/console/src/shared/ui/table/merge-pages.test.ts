import { expect, test } from "vitest";
import { mergePages, uniqueById } from "./merge-pages.ts";

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
const atsOf = ({ items }: { readonly items: readonly Row[] }) => items.map(({ at }) => at);

test("rows that a new row pushes off the page stay visible, before the next page", () => {
  const after = mergePages(page([9, 8, 7], "c7", 7), page([8, 7, 6], "c6", 6), byTime);
  expect(atsOf(after)).toEqual([9, 8, 7, 6]);
  expect(after).toMatchObject({ next_cursor: "c6", total: 7 });
});

test("rows that are gone from the first page disappear, and a row that moved up is shown there", () => {
  const before = { ...page([8, 7, 6, 5], "c5", 9) };
  const moved = { items: [{ id: "r5", at: 9 }, ...page([8, 6], null).items], next_cursor: "c6", total: 8 };
  expect(mergePages(moved, before, byTime).items.map(({ id }) => id)).toEqual(["r5", "r8", "r6"]);
});

test("a list that was replaced, or whose rest is unknown, starts again", () => {
  const other = page([30, 29, 28], "c28", 60);
  expect(mergePages(other, page([8, 7, 6], "c6", 6), byTime)).toBe(other);
  const grown = page([30, 8], "c8", 5);
  expect(mergePages(grown, page([8, 2], null), byTime)).toBe(grown);
  const ended = page([8], null);
  expect(mergePages(ended, page([8, 7, 6], "c6", 6), byTime)).toBe(ended);
});

test("a list that fit one page stays complete when it grows beyond one", () => {
  const after = mergePages(page([9, 8, 7], "c7", 4), page([8, 7, 6], null), byTime);
  expect(atsOf(after)).toEqual([9, 8, 7, 6]);
  expect(after.next_cursor).toBeNull();
});

test("the first of two rows with the same id is shown", () => {
  expect(
    uniqueById([
      { id: "a", at: 2 },
      { id: "b", at: 1 },
      { id: "a", at: 0 },
    ]),
  ).toEqual([
    { id: "a", at: 2 },
    { id: "b", at: 1 },
  ]);
});
