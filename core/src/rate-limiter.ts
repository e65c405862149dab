import { setTimeout as wait } from "node:timers/promises";
import { DeliveryError } from "./errors.ts";
import { type Clock, systemClock } from "./services/host.ts";

const PRUNE_AT = 1_000;

/** How many may go at once, and how fast those behind follow. */
export interface RateLimiterOptions {
  /** How many may go at once. */
  readonly burst: number;
  /** Milliseconds until another one may go. */
  readonly everyMs: number;
  readonly clock?: Pick<Clock, "monotonic">;
}

/** Keeps to a platform's limits by waiting, each key by itself. */
export interface RateLimiter {
  /** Resolves when it is this one's turn, in the order asked; rejects when aborted, and then it has taken nobody's turn. */
  turn(key: string, signal: AbortSignal): Promise<void>;
  /** The platform asked to wait: it is nobody's turn before these milliseconds are over. */
  hold(key: string, ms: number): void;
}

/** A limiter that gives each key its turns at the pace that is set. */
export function createRateLimiter({ burst, everyMs, clock = systemClock }: RateLimiterOptions): RateLimiter {
  // When the next one of a key could go if each had waited for its place (GCRA).
  const next = new Map<string, number>();
  /** The last one that waits for its turn. */
  const last = new Map<string, Promise<void>>();
  const room = (burst - 1) * everyMs;
  const go = async (key: string, signal: AbortSignal) => {
    for (;;) {
      signal.throwIfAborted();
      const now = clock.monotonic();
      const at = Math.max(next.get(key) ?? 0, now);
      if (at - room <= now) {
        next.set(key, at + everyMs);
        if (next.size > PRUNE_AT) for (const [old, until] of next) if (until < now) next.delete(old);
        return;
      }
      // Looked at again afterwards: it may have been held meanwhile.
      await wait(at - room - now, undefined, { signal });
    }
  };
  return {
    async turn(key, signal) {
      const mine = (last.get(key) ?? Promise.resolve()).then(() => go(key, signal));
      const over = mine
        .catch(() => undefined)
        .then(() => {
          if (last.get(key) === over) last.delete(key);
        });
      last.set(key, over);
      await orAborted(mine, signal);
    },
    hold(key, ms) {
      next.set(key, Math.max(next.get(key) ?? 0, clock.monotonic() + ms + room));
    },
  };
}

/** What a send gives. Where it fails because the platform asks to wait, it is nobody's turn before. */
export async function holding<Result>(
  pace: Pick<RateLimiter, "hold">,
  key: string,
  sending: Promise<Result>,
): Promise<Result> {
  try {
    return await sending;
  } catch (error) {
    if (DeliveryError.is(error) && error.failure === "throttled") pace.hold(key, error.retryAfterMs ?? 0);
    throw error;
  }
}

/** Those before it may wait for long: who is called off does not wait for them. */
async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) stop();
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
