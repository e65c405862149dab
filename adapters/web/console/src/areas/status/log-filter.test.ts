import { expect, test } from "vitest";
import { DEFAULT_FILTER, toQuery } from "./log-filter.ts";

const NOW = Date.parse("2026-01-06T10:15:00Z");

test("filters without a value are not sent", () => {
  expect(toQuery(DEFAULT_FILTER, NOW)).toEqual({ min_level: "info" });
});

test("a time range ends now", () => {
  const since = "2026-01-06T09:15:00.000Z";
  expect(toQuery({ ...DEFAULT_FILTER, range: "hour", source: "models", q: "key" }, NOW)).toEqual({
    min_level: "info",
    source: "models",
    q: "key",
    since,
  });
});

test("entered times are in the reader's time zone, and are used only when that range is chosen", () => {
  const typed = { ...DEFAULT_FILTER, since: "2026-01-06T08:00", until: "not yet" };
  expect(toQuery(typed, NOW)).toEqual({ min_level: "info" });
  expect(toQuery({ ...typed, range: "own" }, NOW)).toEqual({
    min_level: "info",
    since: new Date("2026-01-06T08:00").toISOString(),
  });
});
