import type { DeadLetterNotifier } from "../../deliver/dead-letter-notifier.ts";
import type { GatewayStore } from "../../store/gateway-store.ts";
import { getInitialState } from "../../store/intake.ts";
import type { MinuteMetrics } from "./minute-metrics.ts";
import type { StateCounters } from "./state-counters.ts";

/** Wraps a store so that each committed change is counted, and clients are notified of changed dead letters. */
export function createInstrumentedStore(
  store: GatewayStore,
  { items, deliveries }: StateCounters,
  metrics: Pick<MinuteMetrics, "count">,
  deadLetterNotifier: Pick<DeadLetterNotifier, "notifyChanged">,
): GatewayStore {
  const instruments = { store, items, deliveries, metrics, deadLetterNotifier };
  return {
    ...store,
    ...instrumentIntake(instruments),
    ...instrumentEnds(instruments),
    ...instrumentDeliveries(instruments),
    partitions: instrumentPartitions(instruments),
  };
}

function instrumentPartitions({ store: { partitions }, items, deliveries }: Instruments): GatewayStore["partitions"] {
  if (!partitions) return undefined;
  return {
    ...partitions,
    async takeWork() {
      const taken = await partitions.takeWork();
      for (const { id } of taken.items) items.change(id, "waiting");
      for (const { id, state } of taken.deliveries) deliveries.change(id, state);
      return taken;
    },
    async handOver(moves) {
      const handedOver = await partitions.handOver(moves);
      for (const id of handedOver.items) items.forget(id);
      for (const id of handedOver.deliveries) deliveries.forget(id);
      return handedOver;
    },
  };
}

interface Instruments extends Pick<StateCounters, "items" | "deliveries"> {
  readonly store: GatewayStore;
  readonly metrics: Pick<MinuteMetrics, "count">;
  readonly deadLetterNotifier: Pick<DeadLetterNotifier, "notifyChanged">;
}

function instrumentIntake({ store, items, metrics }: Instruments): Pick<GatewayStore, "recover" | "insert" | "claim"> {
  return {
    async recover(owner) {
      const found = await store.recover(owner);
      items.load(
        await store.countMessagesByState(),
        found.waiting.map(({ id }) => ({ id, state: "waiting" })),
      );
      return found;
    },
    async insert(messages) {
      const stored = await store.insert(messages);
      const own = new Set(stored.map(({ itemId }) => itemId));
      for (const item of messages) {
        if (!own.has(item.id)) continue;
        // With several nodes, the owner of the partition counts it.
        if (!store.partitions) items.change(item.id, getInitialState(item), toCause(item.skipped));
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

function instrumentEnds(instruments: Instruments): Pick<GatewayStore, "release" | "releaseLease" | "finish" | "merge"> {
  const { store, items, deliveries, metrics, deadLetterNotifier } = instruments;
  return {
    async release(itemId, fence, writes) {
      await store.release(itemId, fence, writes);
      items.change(itemId, "waiting");
    },
    async releaseLease(itemId, owner) {
      const waits = await store.releaseLease(itemId, owner);
      if (waits) items.change(itemId, "waiting");
      return waits;
    },
    async finish(ending) {
      const results = await store.finish(ending);
      const { deliveries: made = [] } = ending;
      items.change(ending.itemId, ending.state, toCause(ending.cause));
      for (const { id, state, isRemote } of made) if (!isRemote) deliveries.change(id, state);
      if (ending.outcome.state === "answered" && made.length === 0) metrics.count("answers_out");
      if (isDeadOrExpired(ending.state)) {
        metrics.count("given_up");
        deadLetterNotifier.notifyChanged();
      }
      return results;
    },
    async merge(itemId, fence, message, merged) {
      await store.merge(itemId, fence, message, merged);
      for (const { id } of merged) items.change(id, "done");
    },
  };
}

function instrumentDeliveries(
  instruments: Instruments,
): Pick<GatewayStore, "listOpenDeliveries" | "addDeliveries" | "updateDelivery"> {
  const { store, deliveries, metrics, deadLetterNotifier } = instruments;
  return {
    async listOpenDeliveries() {
      const open = await store.listOpenDeliveries();
      deliveries.load(await store.countDeliveriesByState(), open);
      return open;
    },
    async addDeliveries(added, together) {
      await store.addDeliveries(added, together);
      for (const { id, state, isRemote } of added) if (!isRemote) deliveries.change(id, state);
    },
    async updateDelivery(id, change, next, together) {
      await store.updateDelivery(id, change, next, together);
      const { state, cause } = change;
      deliveries.change(id, state, toCause(cause));
      if (next !== undefined) deliveries.change(next, "sending");
      if (state === "delivered") metrics.count("answers_out");
      if (isDeadOrExpired(state)) {
        metrics.count("given_up");
        deadLetterNotifier.notifyChanged();
      }
    },
  };
}

function isDeadOrExpired(state: string): boolean {
  return state === "dead" || state === "expired";
}

function toCause(cause: string | undefined) {
  return cause === undefined ? {} : { cause };
}
