import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPace } from "./pace.ts";
import { createTestClock } from "./testing/index.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;

test("a burst goes at once, what comes after it waits, and other keys do not", async () => {
  const pace = createPace({ burst: 3, everyMs: 1_000, clock: createTestClock() });
  const gone: string[] = [];
  const go = (key: string, name: string) => pace.turn(key, never).then(() => void gone.push(name));
  for (const name of ["1", "2", "3", "4", "5"]) void go("a", name);
  void go("b", "other");
  await vi.advanceTimersByTimeAsync(0);
  expect(gone.toSorted()).toEqual(["1", "2", "3", "other"]);
});

test("what is given up does not wait on", async () => {
  const pace = createPace({ burst: 1, everyMs: 60_000, clock: createTestClock() });
  await pace.turn("a", never);
  const abort = new AbortController();
  const waiting = pace.turn("a", abort.signal);
  abort.abort();
  await expect(waiting).rejects.toThrow();
});
