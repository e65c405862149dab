import { setTimeout as wait } from "node:timers/promises";
import type { Clock, Logger } from "@parley/core";
import type { StateCounters } from "./state-counters.ts";
import type { GatewayStore } from "./store.ts";

const OFTEN_MS = 1_000;
/** Of the time of the database counting takes no more than this share. */
const SHARE = 50;
/** Whoever asks is not kept waiting: then what was counted before counts. */
const WAIT_MS = 500;

export interface RecountParts {
  readonly counters: StateCounters;
  readonly store: Pick<GatewayStore, "itemCounts" | "deliveryCounts">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Where other nodes change the rows too: counts what is stored, for whoever is about to look at the counters. */
export function createRecount({ counters, store, clock, log }: RecountParts): () => Promise<void> {
  let nextMs = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | undefined;
  const count = async () => {
    const beganMs = clock.monotonic();
    const [items, deliveries] = await Promise.all([store.itemCounts(), store.deliveryCounts()]);
    counters.items.recounted(items);
    counters.deliveries.recounted(deliveries);
    nextMs = clock.monotonic() + Math.max(OFTEN_MS, SHARE * (clock.monotonic() - beganMs));
  };
  return async () => {
    if (counting === undefined && clock.monotonic() < nextMs) return;
    counting ??= count()
      .catch((error: unknown) => log.debug("what is stored cannot be counted now", { error }))
      .finally(() => {
        counting = undefined;
      });
    const counted = new AbortController();
    const late = wait(WAIT_MS, undefined, { signal: counted.signal }).catch(() => {});
    await Promise.race([counting, late]);
    counted.abort();
  };
}
