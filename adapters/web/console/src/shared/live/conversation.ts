import type { Attachment, LocalizedError, Message } from "@parley/core";
import type { Card } from "./cards.ts";

/** A received frame of the socket. */
export interface Frame {
  readonly type: string;
  readonly session_id?: string;
  readonly seq?: number;
  readonly [field: string]: unknown;
}

/** A reply that is being streamed. */
export interface PartialReply {
  readonly id: string;
  readonly sender: string;
  readonly text: string;
  /** Index of the next chunk; undefined after the start, when the first chunk to arrive sets it. */
  readonly nextIndex: number | undefined;
  readonly traceId: string;
}

/** A message written here that is not in the history yet. */
export interface PendingMessage {
  readonly tempId: string;
  readonly content: string;
  readonly attachments: readonly Attachment[];
  /** The message that it answers. */
  readonly replyTo: string | undefined;
  /** `waiting`: not acknowledged; `sent`: acknowledged; `refused`: rejected; `stopped` before its turn. */
  readonly state: "waiting" | "sent" | "rejected" | "stopped";
  readonly traceId: string | undefined;
  readonly rejection: LocalizedError | undefined;
}

/** One session as it is shown. */
export interface Conversation {
  /** In order; without gaps between the oldest that was fetched and the newest. */
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly pending: readonly PendingMessage[];
  readonly partialReply: PartialReply | undefined;
  /** Trace of the running turn. */
  readonly runningTraceId: string | undefined;
  readonly progress: string;
  readonly notice: string;
  /** Cards beside replies. Lost on reload, except the stored todo list. */
  readonly cards: readonly Card[];
  /** The error of the last turn, when no message has it. */
  readonly failure: (LocalizedError & { readonly traceId: string }) | undefined;
  /** `new`: nothing was fetched yet; `stale`: something was missed; both ask for the newest page. */
  readonly freshness: "new" | "stale" | "fresh";
  /** Grows with each demand for a page: an answer to an earlier one is not used. */
  readonly requestNumber: number;
  /** True when a chunk of the stream is missing; rejoining returns the partial reply. */
  readonly hasStreamGap: boolean;
  /** Ids of messages that arrived while the page was being fetched. */
  readonly arrivedIds: readonly string[];
  readonly removedIds: readonly string[];
}

export const EMPTY_CONVERSATION: Conversation = {
  messages: [],
  hasOlder: false,
  pending: [],
  partialReply: undefined,
  runningTraceId: undefined,
  progress: "",
  notice: "",
  cards: [],
  failure: undefined,
  freshness: "new",
  requestNumber: 0,
  hasStreamGap: false,
  arrivedIds: [],
  removedIds: [],
};

/** Replaces streamed and pending messages by the stored ones of the same id, and ends the turn they answer. */
export function reconcile(now: Conversation): Conversation {
  const { partialReply, runningTraceId, messages } = now;
  const recent = messages.slice(-20);
  const isStored = partialReply !== undefined && recent.some(({ id }) => id === partialReply.id);
  // A question that carries its failure gets no answer: who joined too late to hear of the failure learns it here.
  const isAnswered =
    runningTraceId !== undefined &&
    recent.some(({ role, trace_id, error }) => trace_id === runningTraceId && (role === "assistant" || error !== null));
  const tempIds = new Set(recent.map(({ temp_id }) => temp_id));
  const isThoughtOver = (card: Card) => card.type === "thinking_card" && recent.some(({ id }) => id === card.parentId);
  const isThought = now.cards.some(isThoughtOver);
  const isConfirmed = now.pending.some(({ tempId }) => tempIds.has(tempId));
  if (!isStored && !isAnswered && !isConfirmed && !isThought) return now;
  return {
    ...now,
    ...(isThought && { cards: now.cards.filter((card) => !isThoughtOver(card)) }),
    ...(isStored && { partialReply: undefined }),
    ...(isAnswered && { runningTraceId: undefined, progress: "" }),
    ...(isConfirmed && { pending: now.pending.filter(({ tempId }) => !tempIds.has(tempId)) }),
  };
}
