import { AppError, type Clock, createSlidingWindow, type Tool } from "@parley/core";

const WINDOW_MS = 60_000;
const CALLS = 600;
const ACTION_CALLS = 60;
const SAME_ACTION_CALLS = 3;

/** Counts calls in a sliding minute: per caller, per caller's actions, and the same action again. */
export interface CallLimits {
  /** Counts one call; `rate_limited` when it is one too many, and then it is not counted. */
  check(tool: Tool, args: string, callerId: string): void;
}

export function createCallLimits(clock: Clock): CallLimits {
  const calls = createSlidingWindow(WINDOW_MS, clock.monotonic);
  return {
    check({ name, risk }, args, callerId) {
      const limits: [key: string, most: number][] = [[`calls ${callerId}`, CALLS]];
      if (risk !== "read") {
        limits.push([`actions ${callerId}`, ACTION_CALLS]);
        limits.push([`same ${callerId} ${name} ${args}`, SAME_ACTION_CALLS]);
      }
      const waitMs = Math.max(...limits.map(([key, most]) => calls.waitMs(key, most)));
      if (waitMs > 0) {
        throw new AppError("rate_limited", `${name} was called too often`, { retryAfterS: Math.ceil(waitMs / 1000) });
      }
      for (const [key] of limits) calls.count(key);
    },
  };
}
