import { type Sessions, toTraceMessage } from "@parley/core";
import type { EventLog } from "../../observe/event-log.ts";
import type { GatewayStore } from "../../store/gateway-store.ts";
import type { StoppedPart } from "../../store/stopped-parts.ts";
import { gatewayTexts } from "../../texts.ts";
import type { Outbox } from "../outbox.ts";

const NOT_SENT = gatewayTexts.message("trace_unsaid");

export interface StoppedPartsDeps {
  readonly store: Pick<GatewayStore, "stopParts" | "listStopped" | "createSettled">;
  readonly outbox: Pick<Outbox, "dropStopped">;
  readonly sessions: Pick<Sessions, "recordUnsaid">;
  readonly log: EventLog;
}

/** Ends answers that are sent as several messages before the last of them. */
export interface StoppedParts {
  /**
   * Removes from the stored answers of a session what was cancelled before it was sent. It runs before a turn, so that
   * the model reads only what the person saw. Returns the trace ids of the answers.
   */
  record(sessionId: string): Promise<readonly string[]>;
  /** Cancels what is not sent yet of the answers of a session, with `traceId` only of that turn's; returns their trace ids. */
  stop(sessionId: string, traceId: string | undefined): Promise<readonly string[]>;
}

export function createStoppedParts({ store, outbox, sessions, log }: StoppedPartsDeps): StoppedParts {
  const record = async (sessionId: string): Promise<readonly string[]> => {
    const stopped = await store.listStopped(sessionId);
    outbox.dropStopped(stopped);
    for (const [messageId, parts] of Map.groupBy(stopped, ({ answerId }) => answerId)) {
      await sessions.recordUnsaid({ sessionId, messageId, parts }, store.createSettled(parts.map(({ id }) => id)));
      for (const part of parts) log.add(toLogEntry(part));
    }
    return [...new Set(stopped.map(({ traceId }) => traceId))];
  };
  return {
    record,
    async stop(sessionId, traceId) {
      await store.stopParts(sessionId, traceId);
      return record(sessionId);
    },
  };
}

function toLogEntry({ id, traceId, channelId, conversationId }: StoppedPart) {
  const place = { traceId, channelId, conversationId, deliveryId: id };
  return { ...place, status: "cancelled", ...toTraceMessage(NOT_SENT) };
}
