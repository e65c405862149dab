import type { Attachment, Message } from "@parley/core";
import { type Card, type TodoItem, todoCardOf, withCard, withoutThinking, withStoredTodos } from "./cards.ts";

/** A frame of the socket, as it comes. */
export interface Frame {
  readonly type: string;
  readonly session_id?: string;
  readonly seq?: number;
  readonly [field: string]: unknown;
}

/** A reply that is being said. */
export interface Streaming {
  readonly id: string;
  readonly sender: string;
  readonly text: string;
  /** The number of the next piece; undefined after the start: whatever comes first begins. */
  readonly next: number | undefined;
  readonly traceId: string;
}

/** What a person said here that is not part of the history yet. */
export interface Pending {
  readonly tempId: string;
  readonly content: string;
  readonly attachments: readonly Attachment[];
  /** `waiting`: the service does not have it; `sent`: it has; `refused`: it does not want it; `stopped` before it was taken up. */
  readonly state: "waiting" | "sent" | "refused" | "stopped";
  readonly traceId: string | undefined;
  readonly error: string | undefined;
}

/** One session as it is shown. */
export interface Conversation {
  /** In order; without gaps between the oldest that was fetched and the newest. */
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly pending: readonly Pending[];
  readonly streaming: Streaming | undefined;
  /** The turn that is being answered. */
  readonly running: string | undefined;
  readonly progress: string;
  readonly notice: string;
  /** What goes along with answers; gone when the page is loaded anew, but for the list of todos, which is stored. */
  readonly cards: readonly Card[];
  /** Why the last turn failed, when no message carries it. */
  readonly failure: { readonly traceId: string; readonly error: string; readonly code: string } | undefined;
  /** `new`: nothing was fetched yet; `stale`: something was missed; both ask for the newest page. */
  readonly state: "new" | "stale" | "fresh";
  /** Grows with each demand for a page: an answer to an earlier one is not used. */
  readonly demand: number;
  /** True: a piece of the stream is missing; joining again brings what was said so far. */
  readonly isTorn: boolean;
  /** What came or went while the page was on its way. */
  readonly arrived: readonly string[];
  readonly removed: readonly string[];
}

export const EMPTY: Conversation = {
  messages: [],
  hasOlder: false,
  pending: [],
  streaming: undefined,
  running: undefined,
  progress: "",
  notice: "",
  cards: [],
  failure: undefined,
  state: "new",
  demand: 0,
  isTorn: false,
  arrived: [],
  removed: [],
};

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

/** The conversation when what is shown may be outdated: the newest page must be fetched. */
export function outdated(now: Conversation): Conversation {
  const state = now.state === "new" ? "new" : "stale";
  return { ...now, state, demand: now.demand + 1, arrived: [], removed: [] };
}

/** The newest page, oldest message first, as the answer to `demand`. What came in while it was on its way is kept. */
export function fetched(now: Conversation, page: readonly Message[], total: number, demand: number): Conversation {
  if (demand !== now.demand || now.state === "fresh") return now;
  const oldest = page[0]?.seq ?? Number.POSITIVE_INFINITY;
  const gone = new Set(now.removed);
  const inPage = new Map(page.filter(({ id }) => !gone.has(id)).map((message) => [message.id, message]));
  const older = page.length < total ? now.messages.filter(({ seq }) => seq < oldest) : [];
  // A hole between what was shown and this page cannot be ruled out: older ones are fetched again when asked for.
  const isJoined = now.messages.some(({ id }) => inPage.has(id));
  const kept = now.messages.filter(({ id }) => now.arrived.includes(id) && !gone.has(id));
  for (const message of kept) {
    const other = inPage.get(message.id);
    if (!other || other.revision <= message.revision) inPage.set(message.id, message);
  }
  const messages = [...(isJoined ? older : []), ...[...inPage.values()].sort((a, b) => a.seq - b.seq)];
  return settled({
    ...now,
    messages,
    hasOlder: isJoined && older.length > 0 ? now.hasOlder : page.length < total,
    state: "fresh",
    arrived: [],
    removed: [],
  });
}

/** The stored list of todos, asked for when `seen` was shown: a list that came since is newer, one of a turn that runs too. */
export function todosFetched(
  now: Conversation,
  todos: readonly TodoItem[],
  seen: Conversation["cards"][number] | undefined,
): Conversation {
  const shown = todoCardOf(now.cards);
  if (shown !== seen || (shown && now.running !== undefined)) return now;
  return { ...now, cards: withStoredTodos(now.cards, todos) };
}

/** A page from before what is shown, oldest message first. */
export function fetchedOlder(now: Conversation, page: readonly Message[], hasOlder: boolean): Conversation {
  const known = new Set(now.messages.map(({ id }) => id));
  return { ...now, messages: [...page.filter(({ id }) => !known.has(id)), ...now.messages], hasOlder };
}

/** What a person says, before the service has it. Saying it again (after it was refused) replaces the earlier one. */
export function said(
  now: Conversation,
  tempId: string,
  content: string,
  attachments: readonly Attachment[] = [],
): Conversation {
  const pending: Pending = { tempId, content, attachments, state: "waiting", traceId: undefined, error: undefined };
  const others = now.pending.filter((one) => one.tempId !== tempId);
  return settled({ ...now, pending: [...others, pending], notice: "", failure: undefined });
}

/** What the service answered to something said. */
export function acknowledged(now: Conversation, tempId: string, ack: Frame): Conversation {
  const change = (fields: Partial<Pending>) =>
    now.pending.map((one) => (one.tempId === tempId ? { ...one, ...fields } : one));
  if (ack.ok !== true) return { ...now, pending: change({ state: "refused", error: String(ack.error) }) };
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
  const failure = { traceId: String(frame.trace_id), error: String(frame.error), code: String(frame.code) };
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

// What is stored replaces what was streamed or said under the same id, and ends the turn it answers.
function settled(now: Conversation): Conversation {
  const { streaming, running, messages } = now;
  const recent = messages.slice(-20);
  const isStored = streaming !== undefined && recent.some(({ id }) => id === streaming.id);
  // A question that carries its failure gets no answer: who joined too late to hear of the failure learns it here.
  const isAnswered =
    running !== undefined &&
    recent.some(({ role, trace_id, error }) => trace_id === running && (role === "assistant" || error !== null));
  const temps = new Set(recent.map(({ temp_id }) => temp_id));
  const isThoughtOver = (card: Card) => card.type === "thinking_card" && recent.some(({ id }) => id === card.parentId);
  const isThought = now.cards.some(isThoughtOver);
  const isSaid = now.pending.some(({ tempId }) => temps.has(tempId));
  if (!isStored && !isAnswered && !isSaid && !isThought) return now;
  return {
    ...now,
    ...(isThought && { cards: now.cards.filter((card) => !isThoughtOver(card)) }),
    ...(isStored && { streaming: undefined }),
    ...(isAnswered && { running: undefined, progress: "" }),
    ...(isSaid && { pending: now.pending.filter(({ tempId }) => !temps.has(tempId)) }),
  };
}
