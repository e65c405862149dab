import { setTimeout as wait } from "node:timers/promises";
import { type Clock, systemClock } from "./services/host.ts";

const PRUNE_AT = 1_000;

export interface PaceOptions {
  /** How many may go at once. */
  readonly burst: number;
  /** Milliseconds until another one may go. */
  readonly everyMs: number;
  readonly clock?: Pick<Clock, "monotonic">;
}

/** Keeps to a platform's limits by waiting, each key by itself. */
export interface Pace {
  /** Resolves when it is this one's turn, in the order asked; rejects when aborted. */
  turn(key: string, signal: AbortSignal): Promise<void>;
}

export function createPace({ burst, everyMs, clock = systemClock }: PaceOptions): Pace {
  // When the next one of a key could go if each had waited for its place (GCRA).
  const next = new Map<string, number>();
  return {
    async turn(key, signal) {
      signal.throwIfAborted();
      const now = clock.monotonic();
      const at = Math.max(next.get(key) ?? 0, now);
      next.set(key, at + everyMs);
      if (next.size > PRUNE_AT) for (const [old, until] of next) if (until < now) next.delete(old);
      const delay = at - now - (burst - 1) * everyMs;
      if (delay > 0) await wait(delay, undefined, { signal });
    },
  };
}
