import type { Attachment } from "@parley/core";
import { removeThinking } from "./cards.ts";
import { type Conversation, type Frame, type PendingMessage, reconcile } from "./conversation.ts";
import { toLocalizedError } from "./frame-fields.ts";

/** Adds a pending message. One with the same id, sent again after a rejection, replaces the earlier one. */
export function addPending(
  now: Conversation,
  tempId: string,
  content: string,
  attachments: readonly Attachment[] = [],
  replyTo?: string,
): Conversation {
  const pending: PendingMessage = {
    tempId,
    content,
    attachments,
    replyTo,
    state: "waiting",
    traceId: undefined,
    rejection: undefined,
  };
  const others = now.pending.filter((one) => one.tempId !== tempId);
  return reconcile({ ...now, pending: [...others, pending], notice: "", failure: undefined });
}

/** Applies the service's acknowledgement of a pending message. */
export function applyAck(now: Conversation, tempId: string, ack: Frame): Conversation {
  const change = (fields: Partial<PendingMessage>) =>
    now.pending.map((one) => (one.tempId === tempId ? { ...one, ...fields } : one));
  if (ack.ok !== true) return { ...now, pending: change({ state: "rejected", rejection: toLocalizedError(ack) }) };
  if (ack.blocked === true) return removePending(now, tempId);
  const traceId = String(ack.trace_id ?? "");
  const isNew = ack.duplicated !== true && now.pending.some((one) => one.tempId === tempId);
  const next = { ...now, pending: change({ state: "sent", traceId }) };
  return reconcile(isNew ? { ...next, runningTraceId: now.runningTraceId ?? traceId } : next);
}

export function removePending(now: Conversation, tempId: string): Conversation {
  return { ...now, pending: now.pending.filter((one) => one.tempId !== tempId) };
}

/** Marks messages of stopped turns, so that those not stored can be sent again. */
export function markStopped(now: Conversation, traceIds: readonly string[]): Conversation {
  const pending = now.pending.map((one) =>
    one.traceId !== undefined && traceIds.includes(one.traceId) ? { ...one, state: "stopped" as const } : one,
  );
  const isOver =
    now.runningTraceId !== undefined && now.partialReply === undefined && traceIds.includes(now.runningTraceId);
  const ended: Partial<Conversation> = { runningTraceId: undefined, progress: "", cards: removeThinking(now.cards) };
  return { ...now, pending, ...(isOver && ended) };
}
