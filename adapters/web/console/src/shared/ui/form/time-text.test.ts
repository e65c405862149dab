import { expect, test } from "vitest";
import { parseTime, toInstant, toLocalTime } from "./time-text.ts";

test("a day, a time and both are parsed in usual notations", () => {
  expect(parseTime("2026-3-1", "day")).toBe("2026-03-01");
  expect(parseTime(" 2026/03/01 ", "day")).toBe("2026-03-01");
  expect(parseTime("2026年3月1日", "day")).toBe("2026-03-01");
  expect(parseTime("8:05", "time")).toBe("08:05");
  expect(parseTime("2026-03-01 8:30", "moment")).toBe("2026-03-01T08:30");
  expect(parseTime("2026-03-01T08:30:59", "moment")).toBe("2026-03-01T08:30");
  expect(parseTime("2026-03-01", "moment")).toBe("2026-03-01T00:00");
});

test("impossible days and times are rejected", () => {
  for (const text of ["", "tomorrow", "2026-02-30", "2026-13-01", "01/02/2026", "2026-03-01 24:00", "2026-03-01 1:2"]) {
    expect(parseTime(text, "moment"), text).toBeUndefined();
  }
  expect(parseTime("2026-03-01 08:30", "day")).toBeUndefined();
  expect(parseTime("12:60", "time")).toBeUndefined();
});

test("a moment is shown in the reader's time zone, and converted back", () => {
  expect(toInstant(toLocalTime("2026-03-01T08:30:00.000Z"))).toBe("2026-03-01T08:30:00.000Z");
  expect(toLocalTime("")).toBe("");
  expect(toLocalTime(undefined)).toBe("");
  expect(toInstant("")).toBeUndefined();
});
