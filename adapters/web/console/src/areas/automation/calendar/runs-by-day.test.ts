import { expect, test } from "vitest";
import { groupByDay } from "./runs-by-day.ts";

const MINUTE = 60_000;
const local = (day: number, hour: number, minute = 0) => new Date(2026, 0, day, hour, minute);
const span = (from: Date, count: number, every_ms: number) => ({
  from: from.toISOString(),
  to: new Date(from.getTime() + Math.max(0, count - 1) * every_ms).toISOString(),
  count,
  every_ms,
});
const planned = (id: string, ...spans: readonly ReturnType<typeof span>[]) =>
  ({ id, name: id, kind: "task", times: [], spans, more: false }) as const;

test("runs every five minutes are drawn as one block a day, and no run is lost", () => {
  const days = groupByDay([planned("often", span(local(6, 22), 2016, 5 * MINUTE))]);
  expect(days.map(([, [entry]]) => entry?.series.map(({ count }) => count))).toEqual([
    [24],
    ...Array.from({ length: 6 }, () => [288]),
    [264],
  ]);
  const [, [second]] = days[1] ?? [0, []];
  expect(second?.series[0]).toMatchObject({ from: local(7, 0), to: local(7, 23, 55), everyMs: 5 * MINUTE });
});

test("a few runs on one day are drawn separately", () => {
  const days = groupByDay([planned("seldom", span(local(6, 8), 3, 4 * 60 * MINUTE), span(local(7, 8), 1, 0))]);
  expect(days.map(([, [entry]]) => entry?.series.map(({ from }) => from.getHours()))).toEqual([[8, 12, 16], [8]]);
});

test("runs of a day are sorted by time", () => {
  const days = groupByDay([planned("late", span(local(6, 9), 1, 0)), planned("early", span(local(6, 7), 1, 0))]);
  expect(days[0]?.[1].map(({ id }) => id)).toEqual(["early", "late"]);
});
