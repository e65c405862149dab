import type { Message, ToldFailure } from "@parley/core";
import { withCard, withoutThinking } from "./cards.ts";
import { type Conversation, type Frame, settled } from "./conversation.ts";
import { outdated } from "./history-pages.ts";

type Reducer = (now: Conversation, frame: Frame) => Conversation;

const REDUCERS: Readonly<Record<string, Reducer>> = {
  joined_session: joined,
  new_message: (now, frame) => withMessage(now, frame.message as Message),
  message_updated: (now, frame) => withMessage(now, frame.message as Message),
  messages_removed: (now, frame) => without(now, frame.message_ids as readonly string[]),
  message_filtered: filtered,
  ai_stream_start: started,
  ai_stream_chunk: (now, frame) => withChunk(now, String(frame.message_id), Number(frame.index), String(frame.chunk)),
  ai_stream_end: ended,
  ai_response: (now, frame) => ({ ...withMessage(now, frame.message as Message), running: undefined, progress: "" }),
  turn_error: failed,
  progress_message: (now, frame) => ({
    ...now,
    running: now.running ?? String(frame.trace_id ?? ""),
    progress: String(frame.text),
  }),
  thinking_card: carded,
  todo_card: carded,
  change_card: carded,
  resync: outdated,
};

/** The conversation after one more frame. Pure: whatever was lost in between, the text ends as the service stored it. */
export function received(now: Conversation, frame: Frame): Conversation {
  const reduce = REDUCERS[frame.type];
  return reduce ? reduce(now, frame) : now;
}

function carded(now: Conversation, frame: Frame): Conversation {
  return settled({ ...now, cards: withCard(now.cards, frame) });
}

function joined(now: Conversation, { running }: Frame): Conversation {
  const traceId = (running as { readonly trace_id: string } | null)?.trace_id;
  // A stream that goes on is sent from its beginning after this frame.
  const cards = traceId === undefined ? withoutThinking(now.cards) : now.cards;
  const next = { ...now, running: traceId, streaming: undefined, progress: "", isTorn: false, cards };
  return settled(now.state === "stale" ? outdated(next) : next);
}

function started(now: Conversation, frame: Frame): Conversation {
  const { id, sender, content } = frame.message as { id: string; sender: string; content: string };
  const traceId = String(frame.trace_id ?? "");
  const streaming = { id, sender, text: content, next: undefined, traceId };
  return settled({ ...now, running: traceId, streaming, progress: "", notice: "", failure: undefined, isTorn: false });
}

function ended(now: Conversation, { message_id, finish_reason }: Frame): Conversation {
  const { streaming } = now;
  if (streaming?.id !== message_id) return now;
  // Nothing will be stored under this id, so nothing would replace it.
  const isNothing = finish_reason === "filtered" || (finish_reason === "stopped" && streaming?.text === "");
  if (!isNothing) return now;
  return { ...now, streaming: undefined, running: undefined, progress: "", cards: withoutThinking(now.cards) };
}

function failed(now: Conversation, frame: Frame): Conversation {
  const { trace_id, error, code, detail } = frame as Frame & ToldFailure;
  const failure = { traceId: String(trace_id), error, code, ...(detail && { detail }) };
  const pending = now.pending.filter(({ traceId }) => traceId !== failure.traceId);
  return {
    ...now,
    pending,
    running: undefined,
    streaming: undefined,
    progress: "",
    isTorn: false,
    failure,
    cards: withoutThinking(now.cards),
  };
}

function filtered(now: Conversation, { temp_id, message }: Frame): Conversation {
  const pending = now.pending.filter(({ tempId }) => tempId !== temp_id);
  const cards = withoutThinking(now.cards);
  return { ...now, pending, running: undefined, streaming: undefined, progress: "", notice: String(message), cards };
}

function without(now: Conversation, ids: readonly string[]): Conversation {
  const gone = new Set(ids);
  const messages = now.messages.filter(({ id }) => !gone.has(id));
  return { ...now, messages, arrived: now.arrived.filter((id) => !gone.has(id)), removed: [...now.removed, ...ids] };
}

function withMessage(now: Conversation, message: Message): Conversation {
  // Kept for the model, and shown to nobody.
  if (message.hidden) return without(now, [message.id]);
  const known = now.messages.find(({ id }) => id === message.id);
  if (known && known.revision > message.revision) return now;
  const others = known ? now.messages.filter(({ id }) => id !== message.id) : now.messages;
  const oldest = now.messages[0]?.seq ?? 0;
  // Older than what is shown and not known: it will come with its page.
  if (!known && now.hasOlder && message.seq < oldest) return now;
  const at = others.findIndex(({ seq }) => seq > message.seq);
  const messages = at === -1 ? [...others, message] : [...others.slice(0, at), message, ...others.slice(at)];
  const isFetching = now.state !== "fresh";
  // What waited is recorded when its turn begins.
  const isTaken = now.pending.some(({ tempId }) => tempId === message.temp_id) && message.trace_id !== null;
  return settled({
    ...now,
    messages,
    ...(isTaken && { running: message.trace_id ?? undefined }),
    ...(isFetching && {
      arrived: [...now.arrived, message.id],
      removed: now.removed.filter((id) => id !== message.id),
    }),
    ...(message.role === "user" && { notice: "" }),
  });
}

function withChunk(now: Conversation, id: string, index: number, text: string): Conversation {
  const { streaming } = now;
  // A piece of a reply whose beginning was missed is left: the whole text comes when it is stored.
  if (streaming?.id !== id) return now;
  if (streaming.next !== undefined && index < streaming.next) return now;
  if (streaming.next !== undefined && index > streaming.next) return { ...now, isTorn: true };
  return { ...now, streaming: { ...streaming, text: streaming.text + text, next: index + 1 } };
}
