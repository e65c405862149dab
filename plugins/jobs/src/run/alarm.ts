import type { Clock } from "@parley/core";

/** The clock on the wall may be set, and a machine may sleep: what is due then is seen at the latest after this time. */
const MAX_SLEEP_MS = 60_000;

/** Rings at a time of the wall clock, and once a minute. */
export interface Alarm {
  /** In place of what was set before. */
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
