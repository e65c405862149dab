import type { Clock, Logger } from "@parley/core";
import { resolveWithin } from "@parley/core/async";
import type { GatewayStore } from "../../store/gateway-store.ts";
import type { StateCounters } from "./state-counters.ts";

const MIN_INTERVAL_MS = 1_000;
/** Idle time after a rebuild as a multiple of its duration, so that counting takes at most 2 % of the time. */
const MIN_IDLE_RATIO = 50;
/** Maximum wait for a rebuild; after that, the earlier counters are used. */
const MAX_WAIT_MS = 500;

export interface CounterRebuildDeps {
  readonly counters: StateCounters;
  readonly store: Pick<GatewayStore, "countMessagesByState" | "countDeliveriesByState">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Returns a function that recounts the stored rows before counters are read, since other nodes change them too. */
export function createCounterRebuild({ counters, store, clock, log }: CounterRebuildDeps): () => Promise<void> {
  let nextMs = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | undefined;
  const count = async () => {
    const startedMs = clock.monotonic();
    const [items, deliveries] = await Promise.all([store.countMessagesByState(), store.countDeliveriesByState()]);
    counters.items.reset(items);
    counters.deliveries.reset(deliveries);
    nextMs = clock.monotonic() + Math.max(MIN_INTERVAL_MS, MIN_IDLE_RATIO * (clock.monotonic() - startedMs));
  };
  return async () => {
    if (counting === undefined && clock.monotonic() < nextMs) return;
    counting ??= count()
      .catch((error: unknown) => log.debug("the stored rows could not be counted", { error }))
      .finally(() => {
        counting = undefined;
      });
    await resolveWithin(counting, MAX_WAIT_MS);
  };
}
