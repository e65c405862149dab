import { type Sessions, toTraceMessage } from "@parley/core";
import type { EventLog } from "../../observe/event-log.ts";
import type { GatewayStore } from "../../store/gateway-store.ts";
import type { StoppedPart } from "../../store/stopped-parts.ts";
import { gatewayTexts } from "../../texts.ts";
import type { Outbox } from "../outbox.ts";

const NOT_SENT = gatewayTexts.message("trace_unsaid");

export interface StoppedPartsDeps {
  readonly store: Pick<GatewayStore, "listStopped" | "createSettled">;
  readonly outbox: Pick<Outbox, "dropStopped">;
  readonly sessions: Pick<Sessions, "recordUnsaid">;
  readonly log: EventLog;
}

/**
 * Returns a function that removes from the stored answers of a session what was not sent because the person wrote
 * again. It runs before a turn, so that the model reads only what the person saw.
 */
export function createStoppedPartsRecorder({ store, outbox, sessions, log }: StoppedPartsDeps) {
  return async (sessionId: string): Promise<void> => {
    const stopped = await store.listStopped(sessionId);
    if (stopped.length === 0) return;
    outbox.dropStopped(stopped);
    for (const [messageId, parts] of Map.groupBy(stopped, ({ answerId }) => answerId)) {
      await sessions.recordUnsaid({ sessionId, messageId, parts }, store.createSettled(parts.map(({ id }) => id)));
      for (const part of parts) log.add(toLogEntry(part));
    }
  };
}

function toLogEntry({ id, traceId, channelId, conversationId }: StoppedPart) {
  const place = { traceId, channelId, conversationId, deliveryId: id };
  return { ...place, status: "cancelled", ...toTraceMessage(NOT_SENT) };
}
