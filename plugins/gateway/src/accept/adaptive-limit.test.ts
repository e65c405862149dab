import { describe, expect, test } from "vitest";
import { createAdaptiveLimit } from "./adaptive-limit.ts";

const storing = (all: number) => ({ own: all, all, channels: 1 });

/** Creates a limit; `after` advances the clock while messages take `tookMs` and `all` of them are being stored. */
function createSimulatedLimit() {
  let nowMs = 0;
  const limit = createAdaptiveLimit({ monotonic: () => nowMs });
  const pass = (ms: number, lagMs: number, tookMs: number, all: number) => {
    for (const end = nowMs + ms; nowMs < end; nowMs += 10) {
      limit.isExceeded(storing(all));
      limit.recordLag(lagMs);
      limit.recordDuration(tookMs);
    }
  };
  return {
    isOver: (all: number) => limit.isExceeded(storing(all)),
    isOverOf: limit.isExceeded,
    after: (ms: number, tookMs: number, all: number) => pass(ms, 0, tookMs, all),
    afterLag: (ms: number, lagMs: number, tookMs: number, all: number) => pass(ms, lagMs, tookMs, all),
  };
}

/** Simulates senders that send their next message when the last is stored, on a disk with this throughput. */
function simulateSaturation({ perSecond, senders, ms }: { perSecond: number; senders: number; ms: number }) {
  let nowMs = 0;
  const limit = createAdaptiveLimit({ monotonic: () => nowMs });
  const queue: number[] = [];
  const acknowledged: { readonly atMs: number; readonly tookMs: number }[] = [];
  let idle = senders;
  const again: number[] = [];
  for (; nowMs < ms; nowMs += 1) {
    while (again[0] !== undefined && again[0] <= nowMs) {
      again.shift();
      idle += 1;
    }
    for (; idle > 0; idle -= 1) {
      if (limit.isExceeded(storing(queue.length))) again.push(nowMs + 20);
      else queue.push(nowMs);
    }
    const due = Math.floor((nowMs + 1) * (perSecond / 1000)) - Math.floor(nowMs * (perSecond / 1000));
    for (const sinceMs of queue.splice(0, due)) {
      limit.recordDuration(nowMs - sinceMs + 1);
      acknowledged.push({ atMs: nowMs, tookMs: nowMs - sinceMs + 1 });
      idle += 1;
    }
  }
  return acknowledged;
}

describe("the limit of messages being stored", () => {
  test("is off while the service keeps up, and in a burst", () => {
    const { isOver, after } = createSimulatedLimit();
    after(5_000, 3, 500);
    expect(isOver(1_000)).toBe(false);
    after(400, 80, 400);
    expect(isOver(400)).toBe(false);
  });

  test("is what can be stored within the acknowledgement time, after half a second of overload", () => {
    const acknowledged = simulateSaturation({ perSecond: 1_000, senders: 200, ms: 5_000 });
    const soon = acknowledged.filter(({ atMs }) => atMs > 1_000).map(({ tookMs }) => tookMs);
    expect(Math.max(...soon)).toBeLessThanOrEqual(40);
    // The limit does not reduce the throughput of the disk.
    expect(acknowledged.length).toBeGreaterThan(4_900);
  });

  test("decreases for a disk that becomes slower", () => {
    const acknowledged = simulateSaturation({ perSecond: 300, senders: 200, ms: 5_000 });
    const soon = acknowledged.filter(({ atMs }) => atMs > 1_500).map(({ tookMs }) => tookMs);
    expect(Math.max(...soon)).toBeLessThanOrEqual(50);
  });

  test("never decreases to zero", () => {
    const { isOver, after } = createSimulatedLimit();
    after(300, 3, 1);
    after(800, 80, 31);
    expect([isOver(8), isOver(7)]).toEqual([true, false]);
  });

  test("includes the delay before a message was read, because a busy event loop hides behind a fast disk", () => {
    const { isOver, after, afterLag } = createSimulatedLimit();
    after(2_000, 12, 31);
    expect(isOver(31)).toBe(false);
    afterLag(1_000, 30, 12, 31);
    expect(isOver(31)).toBe(true);
  });

  test("is applied when one measurement in three is in time, because their mean is late", () => {
    const { isOver, after } = createSimulatedLimit();
    after(300, 3, 1);
    for (let round = 0; round < 8; round += 1) {
      after(100, 60, 31);
      after(50, 15, 31);
    }
    expect(isOver(31)).toBe(true);
  });

  test("is lifted once the service keeps up again", () => {
    const { isOver, after } = createSimulatedLimit();
    after(300, 3, 1);
    after(600, 80, 31);
    expect(isOver(31)).toBe(true);
    after(5_000, 3, 3);
    expect(isOver(500)).toBe(false);
  });

  test("is lifted for a while when few messages are as late, because the load is not the reason", () => {
    const { isOver, after } = createSimulatedLimit();
    after(300, 3, 1);
    after(600, 80, 31);
    expect(isOver(31)).toBe(true);
    after(2_000, 80, 4);
    expect(isOver(31)).toBe(false);
    after(9_700, 80, 31);
    expect(isOver(31)).toBe(true);
  });

  test("is off on a slow disk, where fewer messages would not be faster", () => {
    const { isOver, after } = createSimulatedLimit();
    after(10_000, 60, 40);
    expect(isOver(40)).toBe(false);
  });

  test("applies to busy channels, not to quiet ones", () => {
    const { isOverOf, after } = createSimulatedLimit();
    after(300, 3, 1);
    after(600, 80, 31);
    const flooded = { all: 31, channels: 2 };
    expect([isOverOf({ ...flooded, own: 30 }), isOverOf({ ...flooded, own: 1 })]).toEqual([true, false]);
  });
});
