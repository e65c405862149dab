import type { SharedWindow, SharedWindows } from "@parley/core";
import { createAttemptLimiter, networkOf } from "@parley/core/limits";
import { accountsTexts } from "../texts.ts";

const WINDOW_MS = 300_000;
const MAX_FAILED_CHECKS = 30;

/** Counts failed sign-ins within 300 s, in all processes of the installation. */
export interface LoginLimit {
  /** Counts an attempt before it is checked, and returns its delay in milliseconds. Throws `rate_limited`. */
  count(username: string, address: string): Promise<number>;
  reset(username: string, address: string): Promise<void>;
}

export function createLoginLimit(windows: SharedWindows): LoginLimit {
  const tries = createAttemptLimiter(lazy(() => windows.open("logins", WINDOW_MS)));
  return {
    async count(username, address) {
      const { waitMs, delayMs } = await tries.count(username, address);
      rejectIfLimited(waitMs);
      return delayMs;
    },
    reset: (username, address) => tries.succeeded(username, address),
  };
}

/** Opens the window at its first use, when the storage is open. */
function lazy(open: () => SharedWindow): () => SharedWindow {
  let window: SharedWindow | undefined;
  return () => {
    window ??= open();
    return window;
  };
}

/** Limit on failed credential checks per client. Valid credentials are not counted and never wait. */
export interface CheckLimit {
  /** Counts a failure; throws `rate_limited` when there were too many. */
  recordFailure(address: string): Promise<void>;
}

/** Creates a limit; each endpoint counts separately by `name`. */
export function createCheckLimit(windows: SharedWindows, name: string): CheckLimit {
  const failures = lazy(() => windows.open(name, WINDOW_MS));
  return {
    recordFailure: async (address) => rejectIfLimited(await failures().use(networkOf(address), MAX_FAILED_CHECKS)),
  };
}

function rejectIfLimited(waitMs: number): void {
  if (waitMs === 0) return;
  const retryAfterS = Math.ceil(waitMs / 1000);
  throw accountsTexts.error("rate_limited", "tried_often", { seconds: retryAfterS }, { retryAfterS });
}
