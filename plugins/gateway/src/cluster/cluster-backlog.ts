import type { Clock, Logger } from "@parley/core";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { FairQueue } from "../turn/queue/fair-queue.ts";

const REFRESH_EVERY_MS = 1_000;

type BacklogCounts = Pick<FairQueue, "total" | "ofChannel">;

export interface ClusterBacklogDeps {
  readonly store: Pick<GatewayStore, "countWaitingByChannel">;
  /** Messages that wait in the memory of this node. */
  readonly own: BacklogCounts;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Creates counts of the waiting messages of all nodes. They are at most a second old, so a limit can be exceeded by one
 * second's messages, and they are refreshed only while they are read.
 */
export function createClusterBacklog({ store, own, clock, log }: ClusterBacklogDeps): BacklogCounts {
  let channels: ReadonlyMap<string, number> = new Map();
  let total = 0;
  let refreshedMs = Number.NEGATIVE_INFINITY;
  const refresh = async () => {
    channels = await store.countWaitingByChannel();
    total = [...channels.values()].reduce((sum, count) => sum + count, 0);
  };
  const refreshIfStale = () => {
    if (clock.monotonic() - refreshedMs < REFRESH_EVERY_MS) return;
    refreshedMs = clock.monotonic();
    refresh().catch((error: unknown) => log.debug("the waiting messages of all nodes could not be counted", { error }));
  };
  return {
    total() {
      refreshIfStale();
      return Math.max(own.total(), total);
    },
    ofChannel(channelId) {
      refreshIfStale();
      return Math.max(own.ofChannel(channelId), channels.get(channelId) ?? 0);
    },
  };
}
