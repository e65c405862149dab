import type { SharedWindow } from "../services/gateway/shared-windows.ts";
import { createSlidingWindow } from "./sliding-window.ts";

const MAX_NOTED_COUNT = 32;
/** Limits the keys so that a flood of new ones cannot fill the memory. */
const MAX_KEYS = 20_000;

/** Creates a window for a single process. `now` is a monotonic clock in milliseconds. */
export function createMemoryWindow(windowMs: number, now: () => number): SharedWindow {
  const window = createSlidingWindow(windowMs, now, MAX_KEYS);
  return {
    async count(limits, noted = []) {
      const waitMs = Math.max(0, ...[...limits].map(([key, most]) => window.waitMs(key, most)));
      const countedKeys =
        waitMs > 0 ? [] : [...limits.keys(), ...noted.filter((key) => window.counted(key) < MAX_NOTED_COUNT)];
      for (const key of countedKeys) window.count(key);
      const counts = new Map([...limits.keys(), ...noted].map((key) => [key, window.counted(key)]));
      return { waitMs, counts };
    },
    waitMs: async (key, most) => window.waitMs(key, most),
    async use(key, most) {
      const waitMs = window.waitMs(key, most);
      if (waitMs === 0) window.count(key);
      return waitMs;
    },
    async uncount(keys, forgotten = []) {
      for (const key of keys) window.uncount(key);
      for (const key of forgotten) window.forget(key);
    },
  };
}
