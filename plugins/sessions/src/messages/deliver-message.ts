import {
  isGroupSession,
  type LocalizedError,
  type Message,
  newTraceId,
  type Session,
  type Sessions,
  type SpeakOrder,
  toSharedError,
  type Write,
} from "@parley/core";
import { publishMessage, type SessionDeps } from "../session-deps.ts";
import { retryOnConflict } from "../store/message-store.ts";
import { sessionsTexts } from "../texts.ts";
import type { AppendMessage } from "./add-message.ts";

/** Returns the platform conversation of a session; throws when nothing can be sent to it now. */
export function requireConversationId({ channels }: SessionDeps, { channel_id: id, conversation_id }: Session): string {
  if (id === "web" || conversation_id === null) {
    throw sessionsTexts.error("bad_request", "nobody", {}, { field: "deliver" });
  }
  const channel = channels()?.get(id);
  if (!channel?.enabled) throw sessionsTexts.error("conflict", "channel_gone", { id }, { field: "deliver" });
  if (!channels()?.link(id)) throw toSharedError("unavailable", "named_channel_not_connected", { id });
  return conversation_id;
}

interface DeliveryOptions {
  /** The principal that ordered the message. */
  readonly order: SpeakOrder;
  /** Trace id of the message; a new one by default. */
  readonly traceId?: string;
  /** Platform id of the message that is replied to. */
  readonly replyTo?: string | undefined;
  /** Returns further writes for the same transaction; called for each attempt. */
  readonly writes?: () => Promise<readonly Write[]>;
}

/**
 * Stores a message with its deliveries in one transaction, so that after a crash it is sent or does not exist. The
 * message has the trace id of its deliveries, by which their outcome is found.
 */
export function appendWithDelivery(
  { messages, gateway, clock }: SessionDeps,
  session: Session,
  conversationId: string,
  onQueued: (under: { readonly traceId: string; readonly deliveryIds: readonly string[] }) => void,
  { traceId = newTraceId(clock.now()), replyTo, writes: extraWrites, order }: DeliveryOptions,
): AppendMessage {
  return (message) =>
    retryOnConflict(async () => {
      const [existing] = message.temp_id === null ? [] : await messages.byIds([message.id]);
      if (existing) return { message: existing, isNew: false };
      const moreWrites = (await extraWrites?.()) ?? [];
      const next = { ...message, trace_id: traceId, seq: await messages.nextSeq(session.id) };
      const [first, ...others] = messages.appendWrites(next, session.channel_id);
      const sendable = {
        channelId: session.channel_id,
        sessionId: session.id,
        conversation: { id: conversationId, isGroup: isGroupSession(session) },
        text: message.content,
        attachments: message.attachments,
        order,
        traceId,
        ...(replyTo && { replyTo }),
      };
      const writes = first ? [{ ...first, expect: 1 }, ...others, ...moreWrites] : [];
      onQueued(await gateway().deliver(sendable, writes));
      return { message: next, isNew: true };
    });
}

export async function markUndelivered(deps: SessionDeps, message: Message, error: LocalizedError): Promise<void> {
  const next: Message = { ...message, error, revision: message.revision + 1 };
  await deps.messages.replace(next);
  publishMessage(deps, "message_updated", next);
}

/** Prepares the writes that record a delivery's result on an operator's message, for the transaction that changes the delivery. */
export function createPrepareDeliveryError(deps: SessionDeps): Sessions["prepareDeliveryError"] {
  return async (sessionId, traceId, error) => {
    const message = await deps.messages.findSentByOperator(sessionId, traceId);
    if (!message || (error === null && message.error === null)) return { writes: [], publish() {} };
    const next: Message = { ...message, error, revision: message.revision + 1 };
    // A concurrent edit of the message must not block the delivery, so the writes do nothing then.
    const writes = deps.messages.replaceWrites(next, "if it is as before");
    return { writes, publish: () => publishMessage(deps, "message_updated", next) };
  };
}
