import type { Clock } from "@parley/core";

const PER_SECOND = 20;
const AT_ONCE = 20;

/** What waited while the service was away is worked off beside what comes now: 20 turns a second. */
export interface BacklogPace {
  /** Milliseconds until the next turn; 0: now. */
  waitMs(): number;
  take(): void;
}

export function createBacklogPace(clock: Clock): BacklogPace {
  let left = AT_ONCE;
  let atMs = clock.monotonic();
  const refill = () => {
    const now = clock.monotonic();
    left = Math.min(AT_ONCE, left + ((now - atMs) * PER_SECOND) / 1000);
    atMs = now;
  };
  return {
    waitMs() {
      refill();
      return left >= 1 ? 0 : Math.ceil(((1 - left) * 1000) / PER_SECOND);
    },
    take() {
      refill();
      left -= 1;
    },
  };
}
