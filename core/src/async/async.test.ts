import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import {
  createKeyedQueue,
  createSerialQueue,
  raceWithSignal,
  rejectAfter,
  resolveWithin,
  settlesWithin,
} from "./index.ts";

const never = new Promise<never>(() => {});

test("work on one key runs in order, also after a failure, and other keys do not wait", async () => {
  const queue = createKeyedQueue();
  const log: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = queue("a", async () => {
    await gate;
    log.push("a1");
    throw new Error("a1 failed");
  });
  const second = queue("a", async () => void log.push("a2"));
  await queue("b", async () => void log.push("b"));
  expect(log).toEqual(["b"]);
  open();
  await expect(first).rejects.toThrow("a1 failed");
  await second;
  expect(log).toEqual(["b", "a1", "a2"]);
  const serial = createSerialQueue();
  await Promise.all([
    serial(async () => setImmediate().then(() => log.push("s1"))),
    serial(async () => log.push("s2")),
  ]);
  expect(log.slice(3)).toEqual(["s1", "s2"]);
});

test("work that ignores its signal ends with the reason of the signal, at once or after the grace", async () => {
  vi.useFakeTimers();
  try {
    const abort = new AbortController();
    const atOnce = raceWithSignal(never, abort.signal);
    const later = raceWithSignal(never, abort.signal, 50);
    let isLater = false;
    later.catch(() => (isLater = true));
    abort.abort(new Error("stop"));
    await expect(atOnce).rejects.toThrow("stop");
    await vi.advanceTimersByTimeAsync(49);
    expect(isLater).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isLater).toBe(true);
    await expect(raceWithSignal(never, abort.signal)).rejects.toThrow("stop");
    expect(await raceWithSignal(Promise.resolve(5), new AbortController().signal)).toBe(5);
  } finally {
    vi.useRealTimers();
  }
});

test("a time limit gives the result, the fallback, or the error", async () => {
  vi.useFakeTimers();
  try {
    expect(await resolveWithin(Promise.resolve(1), 10)).toBe(1);
    const late = [resolveWithin(never, 10), resolveWithin(never, 10, "late"), settlesWithin(never, 10)];
    const failed = rejectAfter(never, 10, () => new Error("too late"));
    const rejection = expect(failed).rejects.toThrow("too late");
    await vi.advanceTimersByTimeAsync(10);
    expect(await Promise.all(late)).toEqual([undefined, "late", false]);
    await rejection;
    expect(await settlesWithin(Promise.resolve(), 10)).toBe(true);
    await expect(rejectAfter(Promise.reject(new Error("mine")), 10, () => new Error("too late"))).rejects.toThrow(
      "mine",
    );
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
