import type { Message } from "@parley/core";
import { toJsonObject } from "../json-object.ts";
import { putCard, removeThinking } from "./cards.ts";
import { type Conversation, type Frame, reconcile } from "./conversation.ts";
import { isMessage, toLocalizedError, toTexts } from "./frame-fields.ts";
import { markStale } from "./history-pages.ts";

type Reducer = (now: Conversation, frame: Frame) => Conversation;

const REDUCERS: Readonly<Record<string, Reducer>> = {
  joined_session: onJoined,
  new_message: onMessage,
  message_updated: onMessage,
  messages_removed: (now, frame) => removeMessages(now, toTexts(frame.message_ids)),
  message_filtered: onFiltered,
  ai_stream_start: onReplyStarted,
  ai_stream_chunk: (now, frame) => appendChunk(now, String(frame.message_id), Number(frame.index), String(frame.chunk)),
  ai_stream_end: onReplyEnded,
  ai_response: (now, frame) => ({
    ...onMessage(now, frame),
    runningTraceId: undefined,
    progress: "",
  }),
  turn_error: onTurnFailed,
  progress_message: (now, frame) => ({
    ...now,
    runningTraceId: now.runningTraceId ?? String(frame.trace_id ?? ""),
    progress: String(frame.text),
  }),
  thinking_card: onCard,
  todo_card: onCard,
  change_card: onCard,
  resync: markStale,
};

/** Returns the conversation after a frame. Pure; even if frames were lost, the text ends up as the service stored it. */
export function reduceFrame(now: Conversation, frame: Frame): Conversation {
  const reduce = REDUCERS[frame.type];
  return reduce ? reduce(now, frame) : now;
}

function onMessage(now: Conversation, { message }: Frame): Conversation {
  return isMessage(message) ? putMessage(now, message) : now;
}

function onCard(now: Conversation, frame: Frame): Conversation {
  return reconcile({ ...now, cards: putCard(now.cards, frame) });
}

function onJoined(now: Conversation, { running }: Frame): Conversation {
  const { trace_id } = toJsonObject(running);
  const traceId = typeof trace_id === "string" ? trace_id : undefined;
  // The service sends a running reply from its start after this frame.
  const cards = traceId === undefined ? removeThinking(now.cards) : now.cards;
  const next: Conversation = {
    ...now,
    runningTraceId: traceId,
    partialReply: undefined,
    progress: "",
    hasStreamGap: false,
    cards,
  };
  return reconcile(now.freshness === "stale" ? markStale(next) : next);
}

function onReplyStarted(now: Conversation, frame: Frame): Conversation {
  const { id, sender, content } = toJsonObject(frame.message);
  const traceId = String(frame.trace_id ?? "");
  const streaming = {
    id: String(id),
    sender: String(sender),
    text: String(content),
    nextIndex: undefined,
    traceId,
  };
  return reconcile({
    ...now,
    runningTraceId: traceId,
    partialReply: streaming,
    progress: "",
    notice: "",
    failure: undefined,
    hasStreamGap: false,
  });
}

function onReplyEnded(now: Conversation, { message_id, finish_reason }: Frame): Conversation {
  const { partialReply } = now;
  if (partialReply?.id !== message_id) return now;
  // Nothing will be stored under this id, so nothing would replace it.
  const isDropped = finish_reason === "filtered" || (finish_reason === "stopped" && partialReply?.text === "");
  if (!isDropped) return now;
  return { ...now, partialReply: undefined, runningTraceId: undefined, progress: "", cards: removeThinking(now.cards) };
}

function onTurnFailed(now: Conversation, frame: Frame): Conversation {
  const failure = { traceId: String(frame.trace_id), ...toLocalizedError(frame) };
  const pending = now.pending.filter(({ traceId }) => traceId !== failure.traceId);
  return {
    ...now,
    pending,
    runningTraceId: undefined,
    partialReply: undefined,
    progress: "",
    hasStreamGap: false,
    failure,
    cards: removeThinking(now.cards),
  };
}

function onFiltered(now: Conversation, { temp_id, message }: Frame): Conversation {
  const pending = now.pending.filter(({ tempId }) => tempId !== temp_id);
  const cards = removeThinking(now.cards);
  return {
    ...now,
    pending,
    runningTraceId: undefined,
    partialReply: undefined,
    progress: "",
    notice: String(message),
    cards,
  };
}

function removeMessages(now: Conversation, ids: readonly string[]): Conversation {
  const removedIds = new Set(ids);
  const messages = now.messages.filter(({ id }) => !removedIds.has(id));
  return {
    ...now,
    messages,
    arrivedIds: now.arrivedIds.filter((id) => !removedIds.has(id)),
    removedIds: [...now.removedIds, ...ids],
  };
}

function putMessage(now: Conversation, message: Message): Conversation {
  // Hidden messages are for the model only.
  if (message.hidden) return removeMessages(now, [message.id]);
  const existing = now.messages.find(({ id }) => id === message.id);
  if (existing && existing.revision > message.revision) return now;
  const others = existing ? now.messages.filter(({ id }) => id !== message.id) : now.messages;
  const oldest = now.messages[0]?.seq ?? 0;
  // An unknown message older than the loaded ones comes with its page.
  if (!existing && now.hasOlder && message.seq < oldest) return now;
  const at = others.findIndex(({ seq }) => seq > message.seq);
  const messages = at === -1 ? [...others, message] : [...others.slice(0, at), message, ...others.slice(at)];
  const isFetching = now.freshness !== "fresh";
  // A pending message is stored when its turn starts.
  const hasStarted = now.pending.some(({ tempId }) => tempId === message.temp_id) && message.trace_id !== null;
  return reconcile({
    ...now,
    messages,
    ...(hasStarted && { runningTraceId: message.trace_id ?? undefined }),
    ...(isFetching && {
      arrivedIds: [...now.arrivedIds, message.id],
      removedIds: now.removedIds.filter((id) => id !== message.id),
    }),
    ...(message.role === "user" && { notice: "" }),
  });
}

function appendChunk(now: Conversation, id: string, index: number, text: string): Conversation {
  const { partialReply } = now;
  // Chunks of a reply whose start was missed are ignored: the whole text comes once it is stored.
  if (partialReply?.id !== id) return now;
  if (partialReply.nextIndex !== undefined && index < partialReply.nextIndex) return now;
  if (partialReply.nextIndex !== undefined && index > partialReply.nextIndex) return { ...now, hasStreamGap: true };
  return { ...now, partialReply: { ...partialReply, text: partialReply.text + text, nextIndex: index + 1 } };
}
