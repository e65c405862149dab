import { expect, test } from "vitest";
import { formatDuration, formatInterval } from "./format-duration.ts";

test("a duration is shown in a readable unit", () => {
  expect([44, 5_638.1, 61_000].map((ms) => formatDuration(ms, "en"))).toEqual(["44 ms", "5.6 sec", "1 min"]);
  expect(formatDuration(null, "en")).toBe("");
});

test("an interval is shown in its largest whole unit", () => {
  expect([86_400_000, 7_200_000, 5_400_000, 1_000].map((ms) => formatInterval(ms, "en"))).toEqual([
    "1 day",
    "2 hours",
    "90 minutes",
    "1 second",
  ]);
  expect(formatInterval(86_400_000, "zh-CN")).toBe("1 天");
});
