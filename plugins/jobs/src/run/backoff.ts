import type { JobRetry } from "@parley/core";

export const DEFAULT_RETRY: JobRetry = { attempts: 5, firstDelayMs: 1_000, maxDelayMs: 300_000 };

/** How long the next try waits after `failures` of them: doubled each time, and scattered, so that not all come back at once. */
export function getRetryDelay({ firstDelayMs, maxDelayMs }: JobRetry, failures: number, random: () => number): number {
  const whole = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 40));
  return Math.round(whole * (0.75 + random() / 4));
}
