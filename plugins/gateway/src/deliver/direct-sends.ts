import { setTimeout as wait } from "node:timers/promises";
import {
  assertMaySpeak,
  BY_SERVICE,
  type Clock,
  type DeliveryStatus,
  type DirectMessage,
  newTraceId,
  notFound,
  type SendOutcome,
  toTraceMessage,
  type Write,
} from "@parley/core";
import type { Partitioning } from "../cluster/partitioning.ts";
import { identifyElements } from "../elements/element-stages.ts";
import { selectSendable } from "../elements/lay-out-elements.ts";
import type { EventLog } from "../observe/event-log.ts";
import type { Delivery } from "../store/delivery.ts";
import { createElementWrites } from "../store/elements.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import { getErrorDetail, type SentRow } from "../store/outbox.ts";
import { gatewayTexts } from "../texts.ts";
import { attachElements, convertFilesToText, placeElements, splitIntoDeliveries } from "./deliveries.ts";
import type { Outbox } from "./outbox.ts";

const POLL_EVERY_MS = 250;

export interface DirectSendsDeps {
  readonly store: Pick<GatewayStore, "addDeliveries" | "findDeliveryState" | "listSent">;
  readonly outbox: Outbox;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly partitioning: Partitioning | undefined;
  /** Returns the channel's capability `supports_file_send`. */
  readonly supportsFiles: (channelId: string) => boolean;
}

/** Sends messages without a turn. */
export interface DirectSends {
  /** Stores deliveries and the writes of `together` in one transaction, then queues the deliveries. */
  store(planned: readonly Delivery[], together?: readonly Write[]): Promise<void>;
  deliver(
    message: DirectMessage,
    together?: readonly Write[],
  ): Promise<{ readonly traceId: string; readonly deliveryIds: readonly string[] }>;
  /** Resolves to the final status of a delivery, or to `pending` when the signal aborts first. */
  waitForDelivery(id: string, signal: AbortSignal): Promise<DeliveryStatus>;
  /** Resolves to the combined final status of a trace's deliveries, or to `pending` when the signal aborts first. */
  waitForTrace(traceId: string, signal: AbortSignal): Promise<SendOutcome>;
}

export function createDirectSends(deps: DirectSendsDeps): DirectSends {
  const { store, outbox, log, clock, supportsFiles } = deps;
  const storeAndSend: DirectSends["store"] = async (planned, together) => {
    const deliveries = await outbox.prepare(planned);
    try {
      await store.addDeliveries(deliveries, together);
    } catch (error) {
      outbox.discard(deliveries);
      throw error;
    }
    outbox.add(deliveries);
  };
  return {
    store: storeAndSend,
    async deliver({ order = BY_SERVICE, ...message }, together) {
      assertMaySpeak(message, order);
      const { channelId, traceId = newTraceId(clock.now()) } = message;
      const offered = offerElements(deps, message, traceId);
      const { elements, ...content } = placeElements(offered.message, outbox.link);
      const sendable = convertFilesToText(content, supportsFiles(channelId), outbox.link);
      const parts = splitIntoDeliveries(traceId, 0, sendable, outbox.link, clock.now());
      const deliveries = attachElements(parts, elements);
      log.add({ traceId, status: "queued", ...toTraceMessage(gatewayTexts.message("trace_direct")), channelId });
      await storeAndSend(deliveries, [...(together ?? []), ...offered.writes]);
      return { traceId, deliveryIds: deliveries.map(({ id }) => id) };
    },
    waitForDelivery: (id, signal) => waitForDelivery(deps, id, signal),
    async waitForTrace(traceId, signal) {
      const sent = await store.listSent(traceId);
      if (sent.length === 0) throw notFound("trace", traceId);
      const ends = await Promise.all(sent.map(({ id }) => waitForDelivery(deps, id, signal)));
      const status = END_PRECEDENCE.find((end) => ends.includes(end)) ?? "delivered";
      if (status === "pending" || status === "delivered") return { status, error: null };
      const failed = (await store.listSent(traceId)).find(({ state }) => state === status);
      return { status, error: failed ? toError(failed) : null };
    },
  };
}

/** Returns the message with its elements under ids of their own, and the writes that store them. */
function offerElements({ outbox, clock }: DirectSendsDeps, message: Omit<DirectMessage, "order">, traceId: string) {
  const { elements: given = [], press: rules = {}, ...bare } = message;
  const { channelId, sessionId } = message;
  const shown = outbox.link(channelId)?.elements ?? [];
  const own = selectSendable(given, rules, shown);
  if (own.length === 0) return { message: bare, writes: [] };
  const { elements, toName } = identifyElements(own, traceId);
  const where = { traceId, sessionId, messageId: null, nowMs: clock.now() };
  return {
    message: { ...message, elements },
    writes: createElementWrites({ elements, rules, toName, shown, ...where }),
  };
}

/** Statuses in order of precedence: the first one that a part has is the status of the whole. */
const END_PRECEDENCE = ["pending", "dead", "expired"] as const;

function toError(row: SentRow): SendOutcome["error"] {
  const { error, cause } = row;
  if (error === null) return cause === null ? null : { code: "upstream_failed", error: cause };
  const detail = getErrorDetail(row);
  return { code: "upstream_failed", error, ...(detail && { detail }) };
}

/** Resolves to the final status of a delivery, or to `pending` when the signal aborts first. */
async function waitForDelivery(
  { store, outbox, partitioning }: Pick<DirectSendsDeps, "store" | "outbox" | "partitioning">,
  id: string,
  signal: AbortSignal,
): Promise<DeliveryStatus> {
  const { promise: late, resolve } = Promise.withResolvers<"pending">();
  const stop = () => resolve("pending");
  signal.addEventListener("abort", stop, { once: true });
  const ended = outbox.waitForEnd(id);
  try {
    for (;;) {
      const state = await store.findDeliveryState(id);
      if (state === undefined) throw notFound("delivery", id);
      if (state === "delivered" || state === "dead" || state === "expired") return state;
      if (state === "cancelled") return "expired";
      if (!partitioning) return await Promise.race([ended, late]);
      // Another node may send it, and then this node is not notified, so the stored status is polled.
      const known = await Promise.race([ended, late, wait(POLL_EVERY_MS, undefined)]);
      if (known !== undefined) return known;
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
