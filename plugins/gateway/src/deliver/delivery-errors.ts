import type { LocalizedError, Sessions } from "@parley/core";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { DeliveryChange } from "../store/outbox.ts";

/**
 * Wraps the store to record on an operator's message whether its delivery failed. The error is set when a delivery
 * fails for good and cleared when it is sent again, in the transaction of that change.
 */
export function createDeliveryErrorStore(
  store: GatewayStore,
  sessions: () => Pick<Sessions, "prepareDeliveryError">,
): GatewayStore {
  const prepare = async (deliveryId: string, error: LocalizedError | null) => {
    const origin = await store.findOrigin(deliveryId);
    if (!origin) return undefined;
    // The message counts as failed while any of its parts has failed.
    if (error === null && (await hasFailedPart(store, origin.trace_id, deliveryId))) return undefined;
    return sessions().prepareDeliveryError(origin.session_id, origin.trace_id, error);
  };
  return {
    ...store,
    async updateDelivery(id, change, next, together = []) {
      const isFailed = change.state === "dead" || change.state === "expired";
      const prepared = isFailed ? await prepare(id, toDeliveryError(change)) : undefined;
      await store.updateDelivery(id, change, next, [...together, ...(prepared?.writes ?? [])]);
      prepared?.publish();
    },
    deadLetters: {
      ...store.deadLetters,
      async resend(itemId) {
        const prepared = await prepare(itemId, null);
        const delivery = await store.deadLetters.resend(itemId, prepared?.writes);
        prepared?.publish();
        return delivery;
      },
    },
  };
}

async function hasFailedPart(
  store: Pick<GatewayStore, "listSent">,
  traceId: string,
  deliveryId: string,
): Promise<boolean> {
  const sent = await store.listSent(traceId);
  return sent.some(({ id, state }) => id !== deliveryId && (state === "dead" || state === "expired"));
}

function toDeliveryError({ reason, cause = "" }: DeliveryChange): LocalizedError {
  if (!reason) return { code: "upstream_failed", error: cause };
  return { code: "upstream_failed", ...reason };
}
