import { setTimeout as wait } from "node:timers/promises";
import {
  BY_SERVICE,
  type Clock,
  type DeliveryStatus,
  type DirectMessage,
  newTraceId,
  notFound,
  type SendingEnd,
  speakTo,
  type Write,
} from "@parley/core";
import { partsOf, withoutFiles } from "./deliveries.ts";
import type { EventLog } from "./event-log.ts";
import type { Outbox } from "./outbox.ts";
import type { Sharing } from "./sharing.ts";
import { type Delivery, errorDetailOf, type SentRow } from "./store/outbox.ts";
import type { GatewayStore } from "./store.ts";

const ASK_EVERY_MS = 250;

export interface DirectSendsParts {
  readonly store: Pick<GatewayStore, "addDeliveries" | "deliveryState" | "sentUnder">;
  readonly outbox: Outbox;
  readonly log: EventLog;
  readonly clock: Clock;
  /** Of several nodes. */
  readonly sharing: Sharing | undefined;
  /** `supports_file_send` of a channel. */
  readonly takesFiles: (channelId: string) => boolean;
}

/** What is sent without a turn. */
export interface DirectSends {
  /** Stores deliveries, with what else is to be stored or not at all, and lets them go. */
  store(made: readonly Delivery[], together?: readonly Write[]): Promise<void>;
  deliver(
    message: DirectMessage,
    together?: readonly Write[],
  ): Promise<{ readonly traceId: string; readonly deliveryIds: readonly string[] }>;
  /** How a delivery ended; `pending` when the signal aborts first. */
  ended(id: string, signal: AbortSignal): Promise<DeliveryStatus>;
  /** How all of a trace ended; `pending` when the signal aborts first. */
  end(traceId: string, signal: AbortSignal): Promise<SendingEnd>;
}

export function createDirectSends(parts: DirectSendsParts): DirectSends {
  const { store, outbox, log, clock, takesFiles } = parts;
  const sendStored: DirectSends["store"] = async (made, together) => {
    const deliveries = await outbox.prepared(made);
    try {
      await store.addDeliveries(deliveries, together);
    } catch (error) {
      outbox.forget(deliveries);
      throw error;
    }
    outbox.add(deliveries);
  };
  return {
    store: sendStored,
    async deliver({ order = BY_SERVICE, ...message }, together) {
      speakTo(message, order);
      const { channelId, traceId = newTraceId(clock.now()) } = message;
      const sendable = withoutFiles(message, takesFiles(channelId));
      const deliveries = partsOf(traceId, 0, sendable, outbox.link, clock.now());
      log.add({ traceId, status: "queued", message: "to be sent, without a turn", channelId });
      await sendStored(deliveries, together);
      return { traceId, deliveryIds: deliveries.map(({ id }) => id) };
    },
    ended: (id, signal) => endOfDelivery(parts, id, signal),
    async end(traceId, signal) {
      const sent = await store.sentUnder(traceId);
      if (sent.length === 0) throw notFound("trace", traceId);
      const ends = await Promise.all(sent.map(({ id }) => endOfDelivery(parts, id, signal)));
      const status = ENDS.find((end) => ends.includes(end)) ?? "delivered";
      if (status === "pending" || status === "delivered") return { status, error: null };
      const failed = (await store.sentUnder(traceId)).find(({ state }) => state === status);
      return { status, error: failed ? whyOf(failed) : null };
    },
  };
}

/** What decides about the whole of several parts, first. */
const ENDS = ["pending", "dead", "expired"] as const;

function whyOf(row: SentRow): SendingEnd["error"] {
  const { error, cause } = row;
  if (error === null) return cause === null ? null : { code: "upstream_failed", error: cause };
  const detail = errorDetailOf(row);
  return { code: "upstream_failed", error, ...(detail && { detail }) };
}

/** How a delivery ended; `pending` when the signal aborts first. */
async function endOfDelivery(
  { store, outbox, sharing }: Pick<DirectSendsParts, "store" | "outbox" | "sharing">,
  id: string,
  signal: AbortSignal,
): Promise<DeliveryStatus> {
  const { promise: late, resolve } = Promise.withResolvers<"pending">();
  const stop = () => resolve("pending");
  signal.addEventListener("abort", stop, { once: true });
  const ended = outbox.ended(id);
  try {
    for (;;) {
      const state = await store.deliveryState(id);
      if (state === undefined) throw notFound("delivery", id);
      if (state === "delivered" || state === "dead" || state === "expired") return state;
      if (!sharing) return await Promise.race([ended, late]);
      // Another node may send it: then nobody here hears how it ends.
      const known = await Promise.race([ended, late, wait(ASK_EVERY_MS, undefined)]);
      if (known !== undefined) return known;
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
