import { expect, test } from "vitest";
import { roundAxisTop, toAxisTicks, toLabelPositions } from "./chart-scale.ts";

test.each([
  [0, 1],
  [1, 1],
  [3, 4],
  [5, 6],
  [12, 20],
  [99, 100],
  [5_636.1, 6_000],
])("an axis for values up to %d ends at %d", (most, top) => {
  expect(roundAxisTop(most)).toBe(top);
});

test("an axis has labels at its ends and in the middle, but not at half a message", () => {
  expect(toAxisTicks(20)).toEqual([20, 10, 0]);
  expect(toAxisTicks(1)).toEqual([1, 0]);
});

test("an axis has only a few labels, however many values there are", () => {
  expect(toLabelPositions(30)).toEqual([0, 10, 19, 29]);
  expect(toLabelPositions(3)).toEqual([0, 1, 2]);
  expect(toLabelPositions(1)).toEqual([0]);
  expect(toLabelPositions(0)).toEqual([]);
});
