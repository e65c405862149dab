import type { JobRetry } from "@parley/core";

export const DEFAULT_RETRY: JobRetry = { attempts: 5, firstDelayMs: 1_000, maxDelayMs: 300_000 };

/** Returns the delay before the next retry: doubled with each failure and randomized, so that jobs do not retry together. */
export function getRetryDelay({ firstDelayMs, maxDelayMs }: JobRetry, failures: number, random: () => number): number {
  const whole = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 40));
  return Math.round(whole * (0.75 + random() / 4));
}
