import { expect, test } from "vitest";
import { createMinuteMetrics } from "./minute-metrics.ts";

test("an hour of metrics is stored minute by minute, also without activity", () => {
  let now = Date.UTC(2026, 0, 6, 10, 0, 30);
  const metrics = createMinuteMetrics({ now: () => now, monotonic: () => 0 });
  metrics.count("messages_in");
  metrics.recordAck(2_000);
  metrics.recordTurn(50_000);
  now += 5 * 60_000;
  metrics.count("messages_in");
  metrics.count("answers_out");
  const all = metrics.getMinutes();
  expect(all).toHaveLength(60);
  expect(all.at(-1)).toMatchObject({ at: "2026-01-06T10:05:00.000Z", messages_in: 1, answers_out: 1, turns: 0 });
  expect(all.at(-6)).toMatchObject({ at: "2026-01-06T10:00:00.000Z", messages_in: 1, turns: 1 });
  expect(all.at(-6)?.ack_p99_ms).toBeCloseTo(2, 1);
  expect(all.at(-6)?.turn_p50_ms).toBeGreaterThan(49);
  now += 3 * 3_600_000;
  expect(metrics.getMinutes().every(({ messages_in }) => messages_in === 0)).toBe(true);
});

test("metrics continue in the current minute when the clock is set back", () => {
  let now = Date.UTC(2026, 0, 6, 10, 0, 30);
  const metrics = createMinuteMetrics({ now: () => now, monotonic: () => 0 });
  metrics.count("messages_in");
  now -= 3_600_000;
  metrics.count("messages_in");
  expect(metrics.getMinutes().at(-1)).toMatchObject({ at: "2026-01-06T10:00:00.000Z", messages_in: 2 });
});

test("the metrics of several nodes are merged: sums of counts and all durations", () => {
  const now = Date.UTC(2026, 0, 6, 10, 0, 30);
  const clock = { now: () => now, monotonic: () => 0 };
  const nodes = [createMinuteMetrics(clock), createMinuteMetrics(clock)] as const;
  const both = createMinuteMetrics(clock);
  for (let at = 1; at <= 200; at += 1) {
    for (const metrics of [nodes[at % 2 === 0 ? 0 : 1], both]) {
      metrics.count("messages_in");
      metrics.recordAck(at * 1_000);
      metrics.recordTurn(at * 50_000);
    }
  }
  const [here, there] = nodes;
  const changed = there.takeChanged();
  expect(here.getMinutes(changed)).toEqual(both.getMinutes());
  expect(here.getMinutes().at(-1)).toMatchObject({ messages_in: 100, turns: 100 });
  const { turn_p50_ms = 0, turn_p99_ms = 0 } = here.getMinutes(changed).at(-1) ?? {};
  expect(Math.abs(turn_p50_ms / 5_000 - 1)).toBeLessThan(0.01);
  expect(Math.abs(turn_p99_ms / 9_900 - 1)).toBeLessThan(0.01);
  // A changed minute is returned once, until something is counted again.
  expect(there.takeChanged()).toEqual([]);
  there.count("given_up");
  expect(there.takeChanged()).toMatchObject([{ messages_in: 100, given_up: 1 }]);
  // An hour later the minute is outside the window.
  expect(createMinuteMetrics({ ...clock, now: () => now + 3_600_000 }).getMinutes(changed)).toEqual(
    createMinuteMetrics({ ...clock, now: () => now + 3_600_000 }).getMinutes(),
  );
});
