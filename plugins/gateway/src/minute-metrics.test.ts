import { expect, test } from "vitest";
import { createMinuteMetrics } from "./minute-metrics.ts";

test("an hour is kept minute by minute, also over minutes in which nothing happened", () => {
  let now = Date.UTC(2026, 0, 6, 10, 0, 30);
  const metrics = createMinuteMetrics({ now: () => now, monotonic: () => 0 });
  metrics.count("messages_in");
  metrics.acknowledged(2_000);
  metrics.ended(50_000);
  now += 5 * 60_000;
  metrics.count("messages_in");
  metrics.count("answers_out");
  const all = metrics.all();
  expect(all).toHaveLength(60);
  expect(all.at(-1)).toMatchObject({ at: "2026-01-06T10:05:00.000Z", messages_in: 1, answers_out: 1, turns: 0 });
  expect(all.at(-6)).toMatchObject({ at: "2026-01-06T10:00:00.000Z", messages_in: 1, turns: 1 });
  expect(all.at(-6)?.ack_p99_ms).toBeCloseTo(2, 1);
  expect(all.at(-6)?.turn_p50_ms).toBeGreaterThan(49);
  now += 3 * 3_600_000;
  expect(metrics.all().every(({ messages_in }) => messages_in === 0)).toBe(true);
});

test("a clock that is set back goes on in the minute it was in", () => {
  let now = Date.UTC(2026, 0, 6, 10, 0, 30);
  const metrics = createMinuteMetrics({ now: () => now, monotonic: () => 0 });
  metrics.count("messages_in");
  now -= 3_600_000;
  metrics.count("messages_in");
  expect(metrics.all().at(-1)).toMatchObject({ at: "2026-01-06T10:00:00.000Z", messages_in: 2 });
});
