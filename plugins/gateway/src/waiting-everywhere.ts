import type { Clock, Logger } from "@parley/core";
import type { GatewayStore } from "./store.ts";
import type { WaitingQueue } from "./waiting-queue.ts";

const LOOK_EVERY_MS = 1_000;

type Counts = Pick<WaitingQueue, "total" | "ofChannel">;

export interface WaitingEverywhereParts {
  readonly store: Pick<GatewayStore, "waitingByChannel">;
  /** What waits in this node's memory. */
  readonly own: Counts;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * What waits at all nodes, as it was stored a second ago: a limit is passed at most by what comes in a second. It is looked at
 * while somebody asks.
 */
export function createWaitingEverywhere({ store, own, clock, log }: WaitingEverywhereParts): Counts {
  let channels: ReadonlyMap<string, number> = new Map();
  let total = 0;
  let lookedMs = Number.NEGATIVE_INFINITY;
  const look = async () => {
    channels = await store.waitingByChannel();
    total = [...channels.values()].reduce((sum, count) => sum + count, 0);
  };
  const lookAgain = () => {
    if (clock.monotonic() - lookedMs < LOOK_EVERY_MS) return;
    lookedMs = clock.monotonic();
    look().catch((error: unknown) => log.debug("what waits at all nodes cannot be counted now", { error }));
  };
  return {
    total() {
      lookAgain();
      return Math.max(own.total(), total);
    },
    ofChannel(channelId) {
      lookAgain();
      return Math.max(own.ofChannel(channelId), channels.get(channelId) ?? 0);
    },
  };
}
