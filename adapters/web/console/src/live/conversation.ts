import type { Message } from "@parley/core";

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

/** What a person said that the service has not confirmed yet. */
export interface Unsent {
  readonly tempId: string;
  readonly sessionId: string;
  readonly content: string;
  readonly error?: string;
}

/** One session as it is shown. */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly streaming: Streaming | undefined;
  readonly isRunning: boolean;
  readonly progress: string;
  readonly notice: string;
  /** True: something was missed, the messages must be fetched again. */
  readonly isStale: boolean;
}

export const EMPTY: Conversation = {
  messages: [],
  streaming: undefined,
  isRunning: false,
  progress: "",
  notice: "",
  isStale: false,
};

/** The conversation after one more frame. Pure: the same frames give the same text, whatever was lost in between. */
export function received(now: Conversation, frame: Frame): Conversation {
  switch (frame.type) {
    case "joined_session":
      return {
        ...now,
        isRunning: frame.running !== null,
        streaming: frame.running === null ? undefined : now.streaming,
      };
    case "new_message":
      return withMessage(now, frame.message as Message);
    case "message_updated":
      return withMessage(now, frame.message as Message);
    case "messages_removed": {
      const gone = new Set(frame.message_ids as readonly string[]);
      return { ...now, messages: now.messages.filter(({ id }) => !gone.has(id)) };
    }
    case "ai_stream_start": {
      const { id, sender, content } = frame.message as { id: string; sender: string; content: string };
      const traceId = String(frame.trace_id ?? "");
      return {
        ...now,
        isRunning: true,
        streaming: { id, sender, text: content, next: undefined, traceId },
        progress: "",
      };
    }
    case "ai_stream_chunk":
      return withChunk(now, String(frame.message_id), Number(frame.index), String(frame.chunk));
    case "ai_response":
      return { ...withMessage(now, frame.message as Message), isRunning: false, progress: "" };
    case "ai_stream_end":
      return frame.finish_reason === "filtered" ? { ...now, streaming: undefined, isRunning: false } : now;
    case "turn_error":
      return { ...now, isRunning: false, streaming: undefined, progress: "" };
    case "progress_message":
      return { ...now, isRunning: true, progress: String(frame.text) };
    case "message_filtered":
      return { ...now, isRunning: false, notice: String(frame.message) };
    case "resync":
      return { ...now, isStale: true };
    default:
      return now;
  }
}

/** The newest page of messages as the service has it; older ones that are shown already stay. */
export function fetched(now: Conversation, page: readonly Message[]): Conversation {
  const oldest = page[0]?.seq ?? 0;
  const older = now.messages.filter(({ seq }) => seq < oldest);
  const known = new Set(page.map(({ id }) => id));
  const newest = page.at(-1)?.seq ?? 0;
  const newer = now.messages.filter(({ id, seq }) => seq > newest && !known.has(id));
  const messages = [...older, ...page, ...newer];
  const isSaid = now.streaming !== undefined && messages.some(({ id }) => id === now.streaming?.id);
  return { ...now, messages, isStale: false, ...(isSaid && { streaming: undefined }) };
}

/** A page from before what is shown. */
export function fetchedOlder(now: Conversation, page: readonly Message[]): Conversation {
  const known = new Set(now.messages.map(({ id }) => id));
  return { ...now, messages: [...page.filter(({ id }) => !known.has(id)), ...now.messages] };
}

function withMessage(now: Conversation, message: Message): Conversation {
  const others = now.messages.filter(({ id }) => id !== message.id);
  const at = others.findIndex(({ seq }) => seq > message.seq);
  const messages = at === -1 ? [...others, message] : [...others.slice(0, at), message, ...others.slice(at)];
  // What is stored replaces what was streamed under the same id.
  const isSaid = now.streaming?.id === message.id;
  return { ...now, messages, ...(isSaid && { streaming: undefined }), ...(message.role === "user" && { notice: "" }) };
}

function withChunk(now: Conversation, id: string, index: number, text: string): Conversation {
  const { streaming } = now;
  // A piece of a reply whose beginning was missed is left: the whole text comes when it is stored.
  if (streaming?.id !== id) return now;
  if (streaming.next !== undefined && index < streaming.next) return now;
  if (streaming.next !== undefined && index > streaming.next) return { ...now, isStale: true };
  return { ...now, streaming: { ...streaming, text: streaming.text + text, next: index + 1 } };
}
