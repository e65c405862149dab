import { expect, test } from "vitest";
import { DEFAULT_FILTER, toQuery } from "./log-filter.ts";

const NOW = Date.parse("2026-01-06T10:15:00Z");

test("what is not chosen is not asked for", () => {
  expect(toQuery(DEFAULT_FILTER, NOW)).toEqual({ min_level: "info" });
});

test("a range goes back from now", () => {
  const since = "2026-01-06T09:15:00.000Z";
  expect(toQuery({ ...DEFAULT_FILTER, range: "hour", source: "models", q: "key" }, NOW)).toEqual({
    min_level: "info",
    source: "models",
    q: "key",
    since,
  });
});

test("times that were typed are the reader's, and count only where they are chosen", () => {
  const typed = { ...DEFAULT_FILTER, since: "2026-01-06T08:00", until: "not yet" };
  expect(toQuery(typed, NOW)).toEqual({ min_level: "info" });
  expect(toQuery({ ...typed, range: "own" }, NOW)).toEqual({
    min_level: "info",
    since: new Date("2026-01-06T08:00").toISOString(),
  });
});
