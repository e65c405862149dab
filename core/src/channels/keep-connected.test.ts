import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LinkState } from "../points/turn/channel-link.ts";
import { type KeepConnectedOptions, keepConnected } from "./keep-connected.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Starts `keepConnected` with connections that end on demand; each pause is the longest allowed one, from one to eight seconds. */
function startConnections(more: Partial<KeepConnectedOptions> = {}) {
  const states: LinkState[] = [];
  const begun: { opened(): void; end(error?: unknown): void }[] = [];
  const link = keepConnected({
    io: { report: (state) => void states.push(state) },
    connect(opened, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => reject(new Error("given up")));
      begun.push({ opened, end: (error) => (error === undefined ? resolve() : reject(error)) });
      return promise;
    },
    pauseMs: [1_000, 8_000],
    random: () => 1,
    ...more,
  });
  const fail = async (error: unknown = new Error("no answer")) => {
    begun.at(-1)?.end(error);
    await vi.advanceTimersByTimeAsync(0);
  };
  /** Milliseconds until the next connection attempt. */
  const measurePause = async () => {
    const tries = begun.length;
    for (let ms = 0; ; ms += 500) {
      if (begun.length > tries) return ms;
      await vi.advanceTimersByTimeAsync(500);
    }
  };
  return { states, begun, link, fail, measurePause };
}

test("each delay is twice the one before, up to the maximum, multiplied by a random factor", async () => {
  const { fail, measurePause } = startConnections();
  const pauses: number[] = [];
  for (let number = 0; number < 5; number += 1) {
    await fail();
    pauses.push(await measurePause());
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
  const half = startConnections({ random: () => 0.5 });
  await half.fail();
  expect(await half.measurePause()).toBe(500);
});

test("a connection that lasted is followed by the first delay again, one that broke at once is not", async () => {
  const { begun, fail, measurePause } = startConnections();
  await fail();
  await measurePause();
  begun.at(-1)?.opened();
  await vi.advanceTimersByTimeAsync(7_999);
  await fail();
  expect(await measurePause()).toBe(2_000);
  begun.at(-1)?.opened();
  await vi.advanceTimersByTimeAsync(8_000);
  await fail();
  expect(await measurePause()).toBe(1_000);
});

test("a platform or proxy that closes idle connections every half minute is reconnected at once each time", async () => {
  const { begun, fail, measurePause } = startConnections({ pauseMs: [1_000, 60_000] });
  const pauses: number[] = [];
  for (let number = 0; number < 4; number += 1) {
    begun.at(-1)?.opened();
    await vi.advanceTimersByTimeAsync(10_000 + number * 8_000);
    await fail();
    pauses.push(await measurePause());
  }
  expect(pauses).toEqual([1_000, 1_000, 1_000, 1_000]);
});

test("nothing is tried for as long as an error asks to wait", async () => {
  const { fail, measurePause } = startConnections();
  await fail(Object.assign(new Error("refused"), { retryAfterMs: 300_000 }));
  expect(await measurePause()).toBe(300_000);
});

test("every change of state is reported with its reason, and nothing after the end", async () => {
  const { states, begun, fail, link, measurePause } = startConnections();
  begun[0]?.opened();
  await fail(new Error("the platform hung up"));
  await measurePause();
  begun[1]?.opened();
  await link[Symbol.asyncDispose]();
  expect(states).toEqual([
    { connected: true },
    { connected: false, error: "the platform hung up" },
    { connected: true },
  ]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toHaveLength(2);
});

test("reconnecting can be ended during a delay", async () => {
  const { begun, fail, link } = startConnections();
  await fail();
  await link[Symbol.asyncDispose]();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toHaveLength(1);
});
