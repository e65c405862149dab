import { AppError, type Clock } from "@parley/core";

const WINDOW_MS = 300_000;
const MANY_NAMES = 10_000;

/** Failures within 300 s, counted by name; the oldest decides when one may try again. */
export interface FailureLimit {
  /** Throws `rate_limited` with the seconds to wait when one of the names has failed too often. */
  check(...names: readonly string[]): void;
  failed(...names: readonly string[]): void;
  succeeded(...names: readonly string[]): void;
}

export function createFailureLimit(clock: Clock, most: number): FailureLimit {
  const failures = new Map<string, number[]>();
  const recent = (name: string) => {
    const times = (failures.get(name) ?? []).filter((time) => time > clock.monotonic() - WINDOW_MS);
    if (times.length > 0) failures.set(name, times);
    else failures.delete(name);
    return times;
  };
  return {
    check(...names) {
      for (const name of names) {
        const times = recent(name);
        const [oldest] = times;
        if (times.length < most || oldest === undefined) continue;
        const retryAfterS = Math.max(1, Math.ceil((oldest + WINDOW_MS - clock.monotonic()) / 1000));
        throw new AppError("rate_limited", `too many failed attempts: try again in ${retryAfterS} s`, { retryAfterS });
      }
    },
    failed(...names) {
      // Names are a stranger's choice: what is over is forgotten before it fills the memory.
      if (failures.size >= MANY_NAMES) for (const name of failures.keys()) recent(name);
      for (const name of names) failures.set(name, [...recent(name), clock.monotonic()]);
    },
    succeeded(...names) {
      for (const name of names) failures.delete(name);
    },
  };
}
