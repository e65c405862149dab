import type { LetterNews } from "./letter-news.ts";
import type { MinuteMetrics } from "./minute-metrics.ts";
import type { StateCounters } from "./state-counters.ts";
import { stateOf } from "./store/arrivals.ts";
import type { GatewayStore } from "./store.ts";

/** The same store: every change is counted once it is on disk, and who looks at what was given up is notified. */
export function countingStore(
  store: GatewayStore,
  { items, deliveries }: StateCounters,
  metrics: Pick<MinuteMetrics, "count">,
  news: Pick<LetterNews, "changed">,
): GatewayStore {
  const counted = { store, items, deliveries, metrics, news };
  return {
    ...store,
    ...countedArrivals(counted),
    ...countedEnds(counted),
    ...countedDeliveries(counted),
    homes: countedHomes(counted),
  };
}

function countedHomes({ store: { homes }, items, deliveries }: Counted): GatewayStore["homes"] {
  if (!homes) return undefined;
  return {
    ...homes,
    async take() {
      const taken = await homes.take();
      for (const { id } of taken.items) items.change(id, "waiting");
      for (const { id, state } of taken.deliveries) deliveries.change(id, state);
      return taken;
    },
    async give(moves) {
      const given = await homes.give(moves);
      for (const id of given.items) items.forget(id);
      for (const id of given.deliveries) deliveries.forget(id);
      return given;
    },
  };
}

interface Counted extends Pick<StateCounters, "items" | "deliveries"> {
  readonly store: GatewayStore;
  readonly metrics: Pick<MinuteMetrics, "count">;
  readonly news: Pick<LetterNews, "changed">;
}

function countedArrivals({ store, items, metrics }: Counted): Pick<GatewayStore, "recover" | "insert" | "claim"> {
  return {
    async recover(owner) {
      const found = await store.recover(owner);
      items.load(
        await store.itemCounts(),
        found.waiting.map(({ id }) => ({ id, state: "waiting" })),
      );
      return found;
    },
    async insert(coming) {
      const stored = await store.insert(coming);
      const own = new Set(stored.map(({ itemId }) => itemId));
      for (const item of coming) {
        if (!own.has(item.id)) continue;
        // Where there are several nodes the one that takes it counts it.
        if (!store.homes) items.change(item.id, stateOf(item), why(item.skipped));
        metrics.count("messages_in");
      }
      return stored;
    },
    async claim(item, owner) {
      const claimed = await store.claim(item, owner);
      items.change(item.id, "running");
      return claimed;
    },
  };
}

function countedEnds(counted: Counted): Pick<GatewayStore, "release" | "free" | "end" | "merge"> {
  const { store, items, deliveries, metrics, news } = counted;
  return {
    async release(itemId, fence, left) {
      await store.release(itemId, fence, left);
      items.change(itemId, "waiting");
    },
    async free(itemId, owner) {
      const waits = await store.free(itemId, owner);
      if (waits) items.change(itemId, "waiting");
      return waits;
    },
    async end(ending) {
      const results = await store.end(ending);
      const { deliveries: made = [] } = ending;
      items.change(ending.itemId, ending.state, why(ending.cause));
      for (const { id, state, isElsewhere } of made) if (!isElsewhere) deliveries.change(id, state);
      if (ending.outcome.state === "answered" && made.length === 0) metrics.count("answers_out");
      if (isGivenUp(ending.state)) {
        metrics.count("given_up");
        news.changed();
      }
      return results;
    },
    async merge(itemId, fence, message, merged) {
      await store.merge(itemId, fence, message, merged);
      for (const { id } of merged) items.change(id, "done");
    },
  };
}

function countedDeliveries(
  counted: Counted,
): Pick<GatewayStore, "openDeliveries" | "addDeliveries" | "changeDelivery"> {
  const { store, deliveries, metrics, news } = counted;
  return {
    async openDeliveries() {
      const open = await store.openDeliveries();
      deliveries.load(await store.deliveryCounts(), open);
      return open;
    },
    async addDeliveries(added, together) {
      await store.addDeliveries(added, together);
      for (const { id, state, isElsewhere } of added) if (!isElsewhere) deliveries.change(id, state);
    },
    async changeDelivery(id, change, next) {
      await store.changeDelivery(id, change, next);
      const { state, cause } = change;
      deliveries.change(id, state, why(cause));
      if (next !== undefined) deliveries.change(next, "sending");
      if (state === "delivered") metrics.count("answers_out");
      if (isGivenUp(state)) {
        metrics.count("given_up");
        news.changed();
      }
    },
  };
}

function isGivenUp(state: string): boolean {
  return state === "dead" || state === "expired";
}

function why(cause: string | undefined) {
  return cause === undefined ? {} : { cause };
}
