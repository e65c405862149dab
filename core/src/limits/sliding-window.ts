/** Counts events of the last `windowMs` by key. */
export interface SlidingWindow {
  /** Returns the milliseconds until one more event stays within `most`; 0 when it does now, `windowMs` when it never does. */
  waitMs(key: string, most: number): number;
  count(key: string): void;
  /** Returns the current count of events. */
  counted(key: string): number;
  /** Removes the latest event. */
  uncount(key: string): void;
  forget(key: string): void;
  /** Returns the count of keys in memory. */
  size(): number;
}

interface EventTimes {
  readonly at: number[];
  /** Index of the oldest event that still counts. */
  first: number;
}

const SWEEP_ABOVE = 1_000;

/**
 * Creates a sliding window; `now` is a monotonic clock in milliseconds. Drops keys without a recent event and, above
 * `maxKeys`, the key whose last event is oldest.
 */
export function createSlidingWindow(windowMs: number, now: () => number, maxKeys = Infinity): SlidingWindow {
  const keys = new Map<string, EventTimes>();
  let sweepAbove = SWEEP_ABOVE;
  const trim = (times: EventTimes) => {
    const from = now() - windowMs;
    while (times.first < times.at.length && (times.at[times.first] ?? 0) <= from) times.first += 1;
    if (times.first > 64 && times.first * 2 > times.at.length) {
      times.at.splice(0, times.first);
      times.first = 0;
    }
    return times.at.length - times.first;
  };
  const sweep = () => {
    for (const [key, times] of keys) if (trim(times) === 0) keys.delete(key);
    sweepAbove = Math.max(SWEEP_ABOVE, keys.size * 2);
  };
  return {
    waitMs(key, most) {
      const times = keys.get(key);
      const counted = times ? trim(times) : 0;
      if (counted < most) return 0;
      if (most <= 0) return windowMs;
      return Math.max(1, (times?.at.at(-most) ?? 0) + windowMs - now());
    },
    count(key) {
      const times = keys.get(key) ?? { at: [], first: 0 };
      times.at.push(now());
      keys.delete(key);
      keys.set(key, times);
      if (keys.size > sweepAbove) sweep();
      const [longestAgo] = keys.size > maxKeys ? keys.keys() : [];
      if (longestAgo !== undefined) keys.delete(longestAgo);
    },
    counted(key) {
      const times = keys.get(key);
      return times ? trim(times) : 0;
    },
    uncount(key) {
      const times = keys.get(key);
      if (times && times.at.length > times.first) times.at.pop();
    },
    forget: (key) => void keys.delete(key),
    size: () => keys.size,
  };
}
