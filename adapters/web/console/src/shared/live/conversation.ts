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
  /** Id of the message it replies to. */
  readonly replyTo: string | undefined;
  /** `waiting`: not acknowledged; `sent`: acknowledged; `rejected` by the service; `stopped` before its turn. */
  readonly state: "waiting" | "sent" | "rejected" | "stopped";
  readonly traceId: string | undefined;
  readonly rejection: LocalizedError | undefined;
}

/** The state of one open conversation. */
export interface Conversation {
  /** In order, without gaps from the oldest fetched to the newest. */
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly pending: readonly PendingMessage[];
  readonly partialReply: PartialReply | undefined;
  readonly runningTraceId: string | undefined;
  readonly progress: string;
  readonly notice: string;
  /** Cards beside replies. Lost on reload, except the stored todo list. */
  readonly cards: readonly Card[];
  /** The error of the last turn, when no message has it. */
  readonly failure: (LocalizedError & { readonly traceId: string }) | undefined;
  /** `new`: not fetched yet; `stale`: events were missed. Both require the newest page. */
  readonly freshness: "new" | "stale" | "fresh";
  /** Incremented with each request for the newest page; responses to earlier ones are ignored. */
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

/** Drops the streamed reply, pending messages and thinking cards whose messages are stored now, and ends the turn once it is answered. */
export function reconcile(now: Conversation): Conversation {
  const { partialReply, runningTraceId, messages } = now;
  const recent = messages.slice(-20);
  const isStored = partialReply !== undefined && recent.some(({ id }) => id === partialReply.id);
  // A question stored with an error gets no answer; a client that joined after its `turn_error` notices that here.
  const isAnswered =
    runningTraceId !== undefined &&
    recent.some(({ role, trace_id, error }) => trace_id === runningTraceId && (role === "assistant" || error !== null));
  const tempIds = new Set(recent.map(({ temp_id }) => temp_id));
  const isDoneThinking = (card: Card) => card.type === "thinking_card" && recent.some(({ id }) => id === card.parentId);
  const hasDoneThinking = now.cards.some(isDoneThinking);
  const isConfirmed = now.pending.some(({ tempId }) => tempIds.has(tempId));
  if (!isStored && !isAnswered && !isConfirmed && !hasDoneThinking) return now;
  return {
    ...now,
    ...(hasDoneThinking && { cards: now.cards.filter((card) => !isDoneThinking(card)) }),
    ...(isStored && { partialReply: undefined }),
    ...(isAnswered && { runningTraceId: undefined, progress: "" }),
    ...(isConfirmed && { pending: now.pending.filter(({ tempId }) => !tempIds.has(tempId)) }),
  };
}
