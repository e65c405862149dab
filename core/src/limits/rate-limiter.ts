import { setTimeout as wait } from "node:timers/promises";
import { raceWithSignal } from "../async/race-with-signal.ts";
import { DeliveryError } from "../errors.ts";
import { type Clock, systemClock } from "../services/operations/host.ts";

const PRUNE_AT = 1_000;

/** Burst size and interval of a rate limiter. */
export interface RateLimiterOptions {
  /** Permits of a key that may be used at once. */
  readonly burst: number;
  /** Milliseconds until the next permit of a key. */
  readonly everyMs: number;
  readonly clock?: Pick<Clock, "monotonic">;
}

/** Respects a platform's rate limits by waiting, separately for each key. */
export interface RateLimiter {
  /** Resolves at the caller's turn, in call order; rejects when aborted, without using up a turn. */
  turn(key: string, signal: AbortSignal): Promise<void>;
  /** Delays all permits of a key for `ms` milliseconds, because the platform asked to wait. */
  hold(key: string, ms: number): void;
}

/** Creates a rate limiter with the given burst and interval per key. */
export function createRateLimiter({ burst, everyMs, clock = systemClock }: RateLimiterOptions): RateLimiter {
  // Time of the next permit of a key if each caller had waited for its own (GCRA).
  const nextAtByKey = new Map<string, number>();
  /** The last caller in the queue of each key. */
  const tailByKey = new Map<string, Promise<void>>();
  const burstMs = (burst - 1) * everyMs;
  const waitForSlot = async (key: string, signal: AbortSignal) => {
    for (;;) {
      signal.throwIfAborted();
      const now = clock.monotonic();
      const at = Math.max(nextAtByKey.get(key) ?? 0, now);
      if (at - burstMs <= now) {
        nextAtByKey.set(key, at + everyMs);
        if (nextAtByKey.size > PRUNE_AT)
          for (const [old, until] of nextAtByKey) if (until < now) nextAtByKey.delete(old);
        return;
      }
      // Checked again after the wait, because the key may have been delayed meanwhile.
      await wait(at - burstMs - now, undefined, { signal });
    }
  };
  return {
    async turn(key, signal) {
      const slot = (tailByKey.get(key) ?? Promise.resolve()).then(() => waitForSlot(key, signal));
      const settled = slot
        .catch(() => undefined)
        .then(() => {
          if (tailByKey.get(key) === settled) tailByKey.delete(key);
        });
      tailByKey.set(key, settled);
      // An aborted caller does not wait for those in front of it.
      await raceWithSignal(slot, signal);
    },
    hold(key, ms) {
      nextAtByKey.set(key, Math.max(nextAtByKey.get(key) ?? 0, clock.monotonic() + ms + burstMs));
    },
  };
}

/** Awaits a send; when the platform throttles it, delays the key's next turns accordingly and rethrows. */
export async function sendThrottled<Result>(
  limiter: Pick<RateLimiter, "hold">,
  key: string,
  sending: Promise<Result>,
): Promise<Result> {
  try {
    return await sending;
  } catch (error) {
    if (DeliveryError.is(error) && error.failure === "throttled") limiter.hold(key, error.retryAfterMs ?? 0);
    throw error;
  }
}
