import type { Clock } from "@parley/core";

const FAILURES = 5;
const PAUSE_MS = 60_000;

/** Lets calls rest after several failures in a row. */
export interface Breaker {
  isOpen(): boolean;
  note(ok: boolean): void;
}

export function createBreaker(clock: Pick<Clock, "monotonic">): Breaker {
  let failures = 0;
  let until = 0;
  return {
    isOpen: () => clock.monotonic() < until,
    note(ok) {
      failures = ok ? 0 : failures + 1;
      if (failures < FAILURES) return;
      failures = 0;
      until = clock.monotonic() + PAUSE_MS;
    },
  };
}
