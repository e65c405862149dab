import { describe, expect, test } from "vitest";
import { createPlan } from "./timing.ts";

const at = (text: string) => Date.parse(text);
const HOUR = 3_600_000;

/** The next planned times after an instant, as UTC. */
function timesAfter(cron: string, from: string, count: number, timezone = "UTC"): readonly string[] {
  const plan = createPlan({ cron, timezone }, "UTC");
  const times: string[] = [];
  for (let next: number | undefined = plan.first(at(from)); next !== undefined && times.length < count; ) {
    times.push(new Date(next).toISOString().slice(0, 16));
    next = plan.following(next, next);
  }
  return times;
}

describe("a cron line", () => {
  test.each([
    ["every day at eight", "0 8 * * *", ["2026-01-01T08:00", "2026-01-02T08:00"]],
    ["lists, ranges and steps", "0,30 8-9 */2 * *", ["2026-01-01T08:00", "2026-01-01T08:30", "2026-01-01T09:00"]],
    ["names, whatever their case", "0 0 * FEB mOn", ["2026-02-02T00:00", "2026-02-09T00:00"]],
    ["0 is Sunday", "0 0 * * 0", ["2026-01-04T00:00"]],
    ["7 is Sunday too", "0 0 * * 7", ["2026-01-04T00:00"]],
    ["day and weekday: either matches", "0 0 13 * 5", ["2026-01-02T00:00", "2026-01-09T00:00", "2026-01-13T00:00"]],
    ["the day that comes every four years", "0 0 29 2 *", ["2028-02-29T00:00", "2032-02-29T00:00"]],
    ["blanks are blanks", "  0   0 1 1 * ", ["2027-01-01T00:00"]],
  ])("%s", (_what, cron, wanted) => {
    expect(timesAfter(cron, "2026-01-01T00:00:00Z", wanted.length)).toEqual(wanted);
  });

  test.each([
    ["is empty", ""],
    ["has four fields", "0 8 * *"],
    ["has seconds", "0 0 8 * * *"],
    ["is a nickname", "@daily"],
    ["has what only some know", "0 0 L * *"],
    ["has a minute that is none", "60 * * * *"],
    ["has a weekday that is none", "0 0 * * 8"],
    ["has a name that is none", "0 0 * foo *"],
    ["goes backwards", "5-1 * * * *"],
    ["has a step of nothing", "*/0 * * * *"],
    ["is a day that never comes", "0 0 30 2 *"],
    ["is a day that no month of it has", "0 0 31 4,6,9,11 *"],
  ])("that %s is rejected at once", (_what, cron) => {
    const begun = performance.now();
    expect(() => createPlan({ cron }, "UTC")).toThrow(expect.objectContaining({ code: "bad_request" }));
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  test("in a zone that does not exist is rejected", () => {
    expect(() => createPlan({ cron: "0 0 * * *", timezone: "Mars/Olympus" }, "UTC")).toThrow(/timezone/);
  });
});

describe("at a change of daylight saving time", () => {
  const BERLIN = "Europe/Berlin";

  test("a cron line uses local time", () => {
    expect(timesAfter("0 8 * * *", "2026-03-27T12:00:00Z", 3, BERLIN)).toEqual([
      "2026-03-28T07:00",
      "2026-03-29T06:00",
      "2026-03-30T06:00",
    ]);
  });

  test("a time that is skipped runs once right after", () => {
    expect(timesAfter("30 2 * * *", "2026-03-28T00:00:00Z", 3, BERLIN)).toEqual([
      "2026-03-28T01:30",
      "2026-03-29T01:00",
      "2026-03-30T00:30",
    ]);
    expect(timesAfter("*/20 * * * *", "2026-03-29T00:30:00Z", 3, BERLIN)).toEqual([
      "2026-03-29T00:40",
      "2026-03-29T01:00",
      "2026-03-29T01:20",
    ]);
  });

  test("a time that occurs twice runs once", () => {
    expect(timesAfter("30 2 * * *", "2026-10-24T12:00:00Z", 2, BERLIN)).toEqual([
      "2026-10-25T00:30",
      "2026-10-26T01:30",
    ]);
    expect(timesAfter("*/30 * * * *", "2026-10-24T23:50:00Z", 4, BERLIN)).toEqual([
      "2026-10-25T00:00",
      "2026-10-25T00:30",
      "2026-10-25T02:00",
      "2026-10-25T02:30",
    ]);
    // The time counts once, even when it is queried in between.
    expect(timesAfter("30 2 * * *", "2026-10-25T01:10:00Z", 1, BERLIN)).toEqual(["2026-10-26T01:30"]);
  });

  test.each([
    "America/New_York",
    "Australia/Lord_Howe",
    "America/St_Johns",
    "Pacific/Apia",
    "Asia/Kolkata",
    "Africa/Cairo",
  ])("%s: over two years every hour of a day comes once a day", (zone) => {
    for (const hour of [0, 1, 2, 3, 12, 23]) {
      const times = timesAfter(`15 ${hour} * * *`, "2026-01-01T00:00:00Z", 730, zone).map((time) => at(`${time}Z`));
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(23 * HOUR);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(25 * HOUR);
    }
  });
});

describe("catching up on missed runs", () => {
  const now = at("2026-01-10T12:00:30Z");
  const minutes = (count: number) => count * 60_000;

  test.each([
    ["a minute ago", "59 11 * * *", "2026-01-10T11:59", "2026-01-10T11:59"],
    ["five minutes ago, a little late", "55 11 * * *", "2026-01-10T11:55", undefined],
    ["of many the last one", "* * * * *", "2026-01-09T00:00", "2026-01-10T12:00"],
    ["only long ago", "0 8 * * *", "2026-01-08T08:00", undefined],
  ])("%s", (_what, cron, planned, wanted) => {
    const plan = createPlan({ cron }, "UTC");
    expect(plan.getCatchUpTime(at(`${planned}Z`), now, minutes(5))).toBe(
      wanted === undefined ? undefined : at(`${wanted}Z`),
    );
    expect(plan.following(at(`${planned}Z`), now)).toBeGreaterThan(now);
  });

  test("after a long pause is computed quickly, however many runs were missed", () => {
    const begun = performance.now();
    const week = 7 * 24 * HOUR;
    expect(createPlan({ cron: "* * * * *" }, "UTC").getCatchUpTime(at("2020-01-01T00:00Z"), now, week)).toBe(
      at("2026-01-10T12:00Z"),
    );
    expect(createPlan({ cron: "0 8 * * 1" }, "UTC").getCatchUpTime(at("2025-12-01T08:00Z"), now, week)).toBe(
      at("2026-01-05T08:00Z"),
    );
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  test("keeps the rhythm of an interval", () => {
    const plan = createPlan({ everyMs: HOUR }, "UTC");
    expect(plan.first(now)).toBe(now + HOUR);
    const planned = now - 3 * HOUR - minutes(2);
    expect(plan.getCatchUpTime(planned, now, minutes(5))).toBe(now - minutes(2));
    expect(plan.getCatchUpTime(planned - minutes(10), now, minutes(5))).toBeUndefined();
    expect(plan.following(planned, now)).toBe(now + HOUR - minutes(2));
  });

  test("runs a single date once", () => {
    const plan = createPlan({ at: now + HOUR }, "UTC");
    expect(plan.first(now)).toBe(now + HOUR);
    expect(plan.following(now + HOUR, now + HOUR)).toBeUndefined();
    expect(plan.getCatchUpTime(now + HOUR, now + HOUR + minutes(4), minutes(5))).toBe(now + HOUR);
    expect(plan.getCatchUpTime(now + HOUR, now + 2 * HOUR, minutes(5))).toBeUndefined();
    expect(() => plan.first(now + 2 * HOUR)).toThrow(/has passed/);
  });
});

test.each([
  ["nothing", {}],
  ["two at once", { cron: "0 0 * * *", everyMs: 60_000 }],
  ["an interval of nothing", { everyMs: 0 }],
  ["a broken interval", { everyMs: 1_500.5 }],
  ["an interval longer than a year", { everyMs: 367 * 24 * HOUR }],
  ["a date that is none", { at: Number.NaN }],
])("%s is not a valid timing", (_what, timing) => {
  expect(() => createPlan(timing, "UTC")).toThrow(expect.objectContaining({ code: "bad_request" }));
});
