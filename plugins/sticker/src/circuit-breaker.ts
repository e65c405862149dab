import type { Clock } from "@parley/core";

const FAILURE_THRESHOLD = 5;
const RESET_TIMEOUT_MS = 60_000;

/** Pauses calls after several failures in a row. */
export interface CircuitBreaker {
  isOpen(): boolean;
  record(ok: boolean): void;
}

export function createCircuitBreaker(clock: Pick<Clock, "monotonic">): CircuitBreaker {
  let failures = 0;
  let until = 0;
  return {
    isOpen: () => clock.monotonic() < until,
    record(ok) {
      failures = ok ? 0 : failures + 1;
      if (failures < FAILURE_THRESHOLD) return;
      failures = 0;
      until = clock.monotonic() + RESET_TIMEOUT_MS;
    },
  };
}
