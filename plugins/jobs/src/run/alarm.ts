import type { Clock } from "@parley/core";

/** Maximum sleep in milliseconds; a changed clock or a suspended machine is noticed within it. */
const MAX_SLEEP_MS = 60_000;

/** Rings at a time of the wall clock, and once a minute. */
export interface Alarm {
  /** Sets the alarm, replacing the previous one. */
  set(atMs: number | undefined): void;
  stop(): void;
}

export function createAlarm(clock: Clock, onRing: () => void): Alarm {
  let timer: NodeJS.Timeout | undefined;
  return {
    set(atMs = Number.POSITIVE_INFINITY) {
      clearTimeout(timer);
      timer = setTimeout(onRing, Math.min(Math.max(0, atMs - clock.now()), MAX_SLEEP_MS));
    },
    stop: () => clearTimeout(timer),
  };
}
