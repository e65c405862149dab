import { AppError, type Clock, createSlidingWindow } from "@parley/core";

const WINDOW_MS = 300_000;

/** Failures within 300 s, counted by name; the oldest decides when one may try again. */
export interface FailureLimit {
  /** Throws `rate_limited` with the seconds to wait when one of the names has failed too often. */
  check(...names: readonly string[]): void;
  failed(...names: readonly string[]): void;
  succeeded(...names: readonly string[]): void;
}

export function createFailureLimit(clock: Clock, most: number): FailureLimit {
  const failures = createSlidingWindow(WINDOW_MS, () => clock.monotonic());
  return {
    check(...names) {
      const waitMs = Math.max(0, ...names.map((name) => failures.waitMs(name, most)));
      if (waitMs === 0) return;
      const retryAfterS = Math.ceil(waitMs / 1000);
      throw new AppError("rate_limited", `too many failed attempts: try again in ${retryAfterS} s`, { retryAfterS });
    },
    failed(...names) {
      for (const name of names) failures.count(name);
    },
    succeeded(...names) {
      for (const name of names) failures.forget(name);
    },
  };
}
