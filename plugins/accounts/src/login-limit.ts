import { AppError, type Clock, createSlidingWindow, networkOf } from "@parley/core";

const WINDOW_MS = 300_000;
/** A flood from ever new addresses must not fill the memory. */
const MAX_KEYS = 20_000;
const MOST_OF_NAME_AND_CLIENT = 5;
const MOST_OF_CLIENT = 20;
/** An IPv6 /48 is one site: it has 65,536 clients to try with. */
const MOST_OF_SITE = 60;
const MOST_CHECKS = 30;
const UNSLOWED = 10;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;

/**
 * Failed sign-ins within 300 s. They close the door to the client that failed, never to a name: of whom others fail in
 * the name is answered a little later, and not later than a second.
 */
export interface LoginLimit {
  /** Counts a try before it is looked at, so that many at once are no more than one after another. Throws `rate_limited`. */
  count(username: string, address: string): void;
  succeeded(username: string, address: string): void;
  /** How long a try in this name waits before it is looked at. */
  delayMs(username: string): number;
}

export function createLoginLimit(clock: Clock): LoginLimit {
  const failures = createSlidingWindow(WINDOW_MS, () => clock.monotonic(), MAX_KEYS);
  const delayMs = (username: string) => {
    let delay = 0;
    for (let count = UNSLOWED; failures.waitMs(nameOf(username), count) > 0 && delay < MAX_DELAY_MS; count += 1) {
      delay = Math.min(MAX_DELAY_MS, delay * 2 || FIRST_DELAY_MS);
    }
    return delay;
  };
  return {
    delayMs,
    count(username, address) {
      const limits = limitsOf(username, address);
      refuseAbove(Math.max(...[...limits].map(([key, most]) => failures.waitMs(key, most))));
      for (const key of limits.keys()) failures.count(key);
      // More would change nothing.
      if (delayMs(username) < MAX_DELAY_MS) failures.count(nameOf(username));
    },
    succeeded(username, address) {
      for (const key of [...limitsOf(username, address).keys(), nameOf(username)]) failures.uncount(key);
      failures.forget(keyOf(username, address));
    },
  };
}

// Of IPv4 the site is the client: the narrower limit comes last and counts.
function limitsOf(username: string, address: string): ReadonlyMap<string, number> {
  return new Map([
    [networkOf(address, 48), MOST_OF_SITE],
    [networkOf(address), MOST_OF_CLIENT],
    [keyOf(username, address), MOST_OF_NAME_AND_CLIENT],
  ]);
}

function keyOf(username: string, address: string): string {
  return `${networkOf(address)} ${username.toLowerCase()}`;
}

function nameOf(username: string): string {
  return `name ${username.toLowerCase()}`;
}

/** Credentials that were shown in vain, by client. */
export interface CheckLimit {
  /** Throws `rate_limited` when there were too many. */
  check(address: string): void;
  failed(address: string): void;
}

export function createCheckLimit(clock: Clock): CheckLimit {
  const failures = createSlidingWindow(WINDOW_MS, () => clock.monotonic(), MAX_KEYS);
  return {
    check: (address) => refuseAbove(failures.waitMs(networkOf(address), MOST_CHECKS)),
    failed: (address) => failures.count(networkOf(address)),
  };
}

function refuseAbove(waitMs: number): void {
  if (waitMs === 0) return;
  const retryAfterS = Math.ceil(waitMs / 1000);
  throw new AppError("rate_limited", `too many failed attempts: try again in ${retryAfterS} s`, { retryAfterS });
}
