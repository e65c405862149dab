import type { Attachment, ToldFailure } from "@parley/core";
import { withoutThinking } from "./cards.ts";
import { type Conversation, type Frame, type Pending, settled } from "./conversation.ts";

/** What a person says, before the service has it. Saying it again (after it was refused) replaces the earlier one. */
export function said(
  now: Conversation,
  tempId: string,
  content: string,
  attachments: readonly Attachment[] = [],
  replyTo?: string,
): Conversation {
  const pending: Pending = {
    tempId,
    content,
    attachments,
    replyTo,
    state: "waiting",
    traceId: undefined,
    refusal: undefined,
  };
  const others = now.pending.filter((one) => one.tempId !== tempId);
  return settled({ ...now, pending: [...others, pending], notice: "", failure: undefined });
}

/** What the service answered to something said. */
export function acknowledged(now: Conversation, tempId: string, ack: Frame): Conversation {
  const change = (fields: Partial<Pending>) =>
    now.pending.map((one) => (one.tempId === tempId ? { ...one, ...fields } : one));
  if (ack.ok !== true) return { ...now, pending: change({ state: "refused", refusal: ack as unknown as ToldFailure }) };
  if (ack.blocked === true) return forgotten(now, tempId);
  const traceId = String(ack.trace_id ?? "");
  const isNew = ack.duplicated !== true && now.pending.some((one) => one.tempId === tempId);
  const next = { ...now, pending: change({ state: "sent", traceId }) };
  return settled(isNew ? { ...next, running: now.running ?? traceId } : next);
}

/** Without something said that shall not be said any more. */
export function forgotten(now: Conversation, tempId: string): Conversation {
  return { ...now, pending: now.pending.filter((one) => one.tempId !== tempId) };
}

/** After the service said which turns it stopped: what was said in them and is not stored can be said again. */
export function stopped(now: Conversation, traceIds: readonly string[]): Conversation {
  const pending = now.pending.map((one) =>
    one.traceId !== undefined && traceIds.includes(one.traceId) ? { ...one, state: "stopped" as const } : one,
  );
  const isOver = now.running !== undefined && now.streaming === undefined && traceIds.includes(now.running);
  const over = { running: undefined, progress: "", cards: withoutThinking(now.cards) };
  return { ...now, pending, ...(isOver && over) };
}
