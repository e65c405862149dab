import { expect, test } from "vitest";
import { createHistogram } from "./histogram.ts";

test("a histogram counts values up to each bound, and everything in the last", () => {
  const histogram = createHistogram([0.1, 1]);
  for (const seconds of [0.1, 0.5, 1, 7]) histogram.record(seconds);
  expect(histogram.samples({ model: "m" })).toEqual([
    { part: "bucket", labels: { model: "m", le: "0.1" }, value: 1 },
    { part: "bucket", labels: { model: "m", le: "1" }, value: 3 },
    { part: "bucket", labels: { model: "m", le: "+Inf" }, value: 4 },
    { part: "sum", labels: { model: "m" }, value: 8.6 },
    { part: "count", labels: { model: "m" }, value: 4 },
  ]);
});

test("an empty histogram has all its buckets, with zero", () => {
  const samples = createHistogram().samples();
  expect(samples.every(({ value }) => value === 0)).toBe(true);
  expect(samples.at(-3)?.labels).toEqual({ le: "+Inf" });
});
