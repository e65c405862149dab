import type { Clock } from "@parley/core";

const TURNS_PER_SECOND = 20;
const BURST = 20;

/** Limits the messages that waited while the service was down to 20 turns a second, beside new messages. */
export interface BacklogThrottle {
  /** Returns the milliseconds until the next turn of the backlog may start; 0 when it may start now. */
  waitMs(): number;
  take(): void;
}

export function createBacklogThrottle(clock: Clock): BacklogThrottle {
  let tokens = BURST;
  let refilledMs = clock.monotonic();
  const refill = () => {
    const now = clock.monotonic();
    tokens = Math.min(BURST, tokens + ((now - refilledMs) * TURNS_PER_SECOND) / 1000);
    refilledMs = now;
  };
  return {
    waitMs() {
      refill();
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 1000) / TURNS_PER_SECOND);
    },
    take() {
      refill();
      tokens -= 1;
    },
  };
}
