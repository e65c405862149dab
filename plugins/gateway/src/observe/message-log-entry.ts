import { type AppError, type InboundMessage, type ItemFailure, toItemFailure, toTraceMessage } from "@parley/core";
import type { QueueItem } from "../store/inbox.ts";
import type { LogEntry } from "./event-log.ts";

/** Creates the builder of log entries about one message. */
export function createLogEntryBuilder(item: Pick<QueueItem, "id" | "traceId">, message: InboundMessage) {
  return (status: string, text: ItemFailure, error?: AppError): LogEntry => ({
    traceId: item.traceId,
    status,
    ...toTraceMessage(text),
    channelId: message.channelId,
    conversationId: message.conversation.id,
    userId: message.sender.id,
    // One row with the platform's id is enough to find the trace by it.
    ...(status === "received" && message.platformMessageId !== undefined && { messageId: message.platformMessageId }),
    itemId: item.id,
    ...(error && { error: { code: error.code, ...toTraceMessage(toItemFailure(error)) } }),
  });
}
