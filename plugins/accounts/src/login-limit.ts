import { networkOf, type SharedWindow, type SharedWindows } from "@parley/core";
import { accountFailure } from "./said-failures.ts";

const WINDOW_MS = 300_000;
const MOST_OF_NAME_AND_CLIENT = 5;
const MOST_OF_CLIENT = 20;
/** An IPv6 /48 is one site: it has 65,536 clients to try with. */
const MOST_OF_SITE = 60;
const MOST_CHECKS = 30;
const UNSLOWED = 10;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;

/**
 * Failed sign-ins within 300 s, at any process of the installation. They close the door to the client that failed, never to a
 * name: of whom others fail in the name is answered a little later, and not later than a second.
 */
export interface LoginLimit {
  /**
   * Counts a try before it is looked at, so that many at once are no more than one after another. Gives how many milliseconds it
   * waits before it is looked at; throws `rate_limited`.
   */
  count(username: string, address: string): Promise<number>;
  succeeded(username: string, address: string): Promise<void>;
}

export function createLoginLimit(windows: SharedWindows): LoginLimit {
  const failures = lazy(() => windows.open("logins", WINDOW_MS));
  return {
    async count(username, address) {
      const name = nameOf(username);
      const { waitMs, counts } = await failures().count(limitsOf(username, address), [name]);
      refuseAbove(waitMs);
      const slowed = (counts.get(name) ?? 0) - UNSLOWED;
      return slowed < 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** slowed);
    },
    async succeeded(username, address) {
      const own = keyOf(username, address);
      const others = [...limitsOf(username, address).keys()].filter((key) => key !== own);
      await failures().uncount([...others, nameOf(username)], [own]);
    },
  };
}

/** The storage is open when it is asked for first. */
function lazy(open: () => SharedWindow): () => SharedWindow {
  let window: SharedWindow | undefined;
  return () => {
    window ??= open();
    return window;
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
  check(address: string): Promise<void>;
  failed(address: string): Promise<void>;
}

/** `name`: each door counts by itself. */
export function createCheckLimit(windows: SharedWindows, name: string): CheckLimit {
  const failures = lazy(() => windows.open(name, WINDOW_MS));
  return {
    check: async (address) => refuseAbove(await failures().waitMs(networkOf(address), MOST_CHECKS)),
    failed: async (address) => void (await failures().count(new Map(), [networkOf(address)])),
  };
}

function refuseAbove(waitMs: number): void {
  if (waitMs === 0) return;
  const retryAfterS = Math.ceil(waitMs / 1000);
  throw accountFailure("rate_limited", "tried_often", { seconds: retryAfterS }, { retryAfterS });
}
