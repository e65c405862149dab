import { createTestClock } from "@parley/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createRateLimiter } from "./rate-limiter.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;

test("a burst passes at once, later calls wait, and other keys are not affected", async () => {
  const pace = createRateLimiter({ burst: 3, everyMs: 1_000, clock: createTestClock() });
  const gone: string[] = [];
  const go = (key: string, name: string) => pace.turn(key, never).then(() => void gone.push(name));
  for (const name of ["1", "2", "3", "4", "5"]) void go("a", name);
  void go("b", "other");
  await vi.advanceTimersByTimeAsync(0);
  expect(gone.toSorted()).toEqual(["1", "2", "3", "other"]);
});

test("an aborted call stops waiting", async () => {
  const pace = createRateLimiter({ burst: 1, everyMs: 60_000, clock: createTestClock() });
  await pace.turn("a", never);
  const abort = new AbortController();
  const waiting = pace.turn("a", abort.signal);
  abort.abort();
  await expect(waiting).rejects.toThrow();
});

describe("with a running clock", () => {
  beforeEach(() => void vi.useRealTimers());

  test("an aborted call uses no slot, and delays nobody behind it", async () => {
    const pace = createRateLimiter({ burst: 1, everyMs: 40 });
    await pace.turn("a", never);
    const abort = new AbortController();
    const begun = performance.now();
    const givenUp = [1, 2, 3].map(() => pace.turn("a", abort.signal));
    const behind = pace.turn("a", never);
    abort.abort();
    for (const one of givenUp) await expect(one).rejects.toThrow();
    await behind;
    // No call in front of it used a permit, so it gets the next one.
    expect(performance.now() - begun).toBeGreaterThan(30);
    const after = pace.turn("a", never).then(() => performance.now());
    expect((await after) - begun).toBeGreaterThan(70);
  });

  test("a pause of the platform delays new and waiting calls, which then run one by one", async () => {
    const pace = createRateLimiter({ burst: 3, everyMs: 20 });
    const begun = performance.now();
    for (let n = 0; n < 3; n += 1) await pace.turn("a", never);
    const waiting = pace.turn("a", never);
    pace.hold("a", 80);
    await pace.turn("b", never);
    await waiting;
    expect(performance.now() - begun).toBeGreaterThan(75);
    await pace.turn("a", never);
    expect(performance.now() - begun).toBeGreaterThan(95);
  });
});
