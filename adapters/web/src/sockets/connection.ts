import { ANONYMOUS, type Caller, type Clock, mayReceive, translateAnswer } from "@parley/core";
import type { WebSocket } from "ws";
import type { Topic } from "./frames.ts";
import { CONSOLE_STREAM, type StreamedEvent } from "./streams.ts";

const BACKPRESSURE_BYTES = 256 * 1024;
const MAX_BEHIND_BYTES = 1024 * 1024;
const MAX_BEHIND_MS = 10_000;
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;
const FRAMES_PER_SECOND = 20;
const FRAME_BURST = 40;
const TOPIC_ROWS_PER_SECOND = 20;
/** Events that may be dropped for a slow client. */
const DROPPABLE_EVENTS = new Set([
  "typing",
  "progress_message",
  "thinking_card",
  "todo_card",
  "change_card",
  "session_activity",
]);

export const CLOSE_CODES = {
  goingAway: 1001,
  tooSlow: 1013,
  malformed: 4400,
  unauthorized: 4401,
  noPong: 4408,
  tooManyFrames: 4429,
} as const;

/** One client: its sessions and its send buffer. */
export interface Connection {
  readonly id: string;
  /** Undefined until the client has signed in. */
  caller: Caller | undefined;
  secret: string;
  readonly address: string;
  readonly joined: Set<string>;
  readonly visible: Set<string>;
  readonly topics: Set<Topic>;
  /** Time of its last typing event by session; monotonic milliseconds. */
  readonly typingAt: Map<string, number>;
  send(frame: object): void;
  /**
   * Sends an event. For a slow client, chunks are merged and dispensable events left out. An event its caller may not
   * read is sent as its number alone, so that the numbering has no gaps.
   */
  sendEvent(event: StreamedEvent): void;
  /** Sends at most 20 rows a second; skipped ones are counted in the next one's `dropped`. */
  sendRow(type: string, row: object): void;
  /** Counts a frame from the client; false when it exceeds the rate limit. */
  countFrame(): boolean;
  close(code: number, reason: string): void;
  /** Closes the connection when over 1 MiB has waited for the client for over 10 s, as seen at each call. */
  checkBackpressure(): void;
}

export interface ConnectionDeps {
  readonly id: string;
  readonly socket: WebSocket;
  readonly caller: Caller | undefined;
  readonly secret: string;
  readonly address: string;
  /** Language of the texts that it receives. */
  readonly language: string;
  readonly clock: Clock;
}

interface BufferedChunk {
  readonly sessionId: string;
  readonly index: number;
  readonly text: string;
}

export function createConnection({ id, socket, caller, secret, address, language, clock }: ConnectionDeps): Connection {
  const bufferedChunks = new Map<string, BufferedChunk>();
  // Numbers saved by merging, per message, so that the client sees no gap.
  const merged = new Map<string, number>();
  let behindSince: number | undefined;
  const frames = createTokenBucket(FRAMES_PER_SECOND, FRAME_BURST, clock);
  const rows = createTokenBucket(TOPIC_ROWS_PER_SECOND, TOPIC_ROWS_PER_SECOND, clock);
  let droppedRows = 0;

  const write = (text: string) => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) close(CLOSE_CODES.tooSlow, "too slow");
    else socket.send(translateFrame(text, language), () => isBehind() || flushAllChunks());
  };
  const isBehind = () => socket.bufferedAmount > BACKPRESSURE_BYTES;
  const close = (code: number, reason: string) => {
    bufferedChunks.clear();
    socket.close(code, reason);
  };
  const getTimestamp = () => new Date(clock.now()).toISOString();
  const writeChunk = (messageId: string, { sessionId, index, text }: BufferedChunk) =>
    write(
      JSON.stringify({
        type: "ai_stream_chunk",
        session_id: sessionId,
        message_id: messageId,
        index,
        chunk: text,
        is_end: false,
        timestamp: getTimestamp(),
      }),
    );
  const flushChunk = (messageId: string) => {
    const chunk = bufferedChunks.get(messageId);
    if (!chunk) return;
    bufferedChunks.delete(messageId);
    writeChunk(messageId, chunk);
  };
  const flushAllChunks = () => {
    for (const messageId of bufferedChunks.keys()) flushChunk(messageId);
  };
  const sendChunk = ({ stream, payload, frame }: StreamedEvent) => {
    const { message_id, index, chunk } = payload as { message_id: string; index: number; chunk: string };
    const saved = merged.get(message_id) ?? 0;
    const earlier = bufferedChunks.get(message_id);
    if (earlier) {
      bufferedChunks.set(message_id, { ...earlier, text: earlier.text + chunk });
      merged.set(message_id, saved + 1);
      return;
    }
    const shifted = { sessionId: stream, index: index - saved, text: chunk };
    if (isBehind()) bufferedChunks.set(message_id, shifted);
    else if (saved > 0) writeChunk(message_id, shifted);
    else write(frame);
  };

  return {
    id,
    caller,
    secret,
    address,
    joined: new Set(),
    visible: new Set(),
    topics: new Set(),
    typingAt: new Map(),
    send: (frame) => write(JSON.stringify({ ...frame, timestamp: getTimestamp() })),
    sendEvent(event) {
      if (!mayReceive(this.caller ?? ANONYMOUS, event)) {
        if (event.seq !== undefined) this.send({ type: "withheld", seq: event.seq, ...toSessionField(event) });
        return;
      }
      if (event.type === "ai_stream_chunk") return sendChunk(event);
      if (DROPPABLE_EVENTS.has(event.type) && isBehind()) return;
      if (event.type === "ai_stream_end") {
        const messageId = String(event.payload.message_id);
        flushChunk(messageId);
        merged.delete(messageId);
      }
      write(event.frame);
    },
    sendRow(type, row) {
      if (isBehind() || !rows.take()) {
        droppedRows += 1;
        return;
      }
      this.send({ ...row, type, ...(droppedRows > 0 && { dropped: droppedRows }) });
      droppedRows = 0;
    },
    countFrame: frames.take,
    close,
    checkBackpressure() {
      if (socket.bufferedAmount <= MAX_BEHIND_BYTES) behindSince = undefined;
      else behindSince ??= clock.monotonic();
      if (behindSince !== undefined && clock.monotonic() - behindSince > MAX_BEHIND_MS)
        close(CLOSE_CODES.tooSlow, "too slow");
    },
  };
}

/** Returns a frame with its sentences in the reader's language. Frames are shared by all readers, and few contain any. */
function translateFrame(text: string, language: string): string {
  if (language === "en" || !text.includes("detail")) return text;
  return JSON.stringify(translateAnswer(JSON.parse(text), language));
}

function toSessionField({ stream }: StreamedEvent): object {
  return stream === CONSOLE_STREAM ? {} : { session_id: stream };
}

/** Allows `rate` requests a second and `burst` at once. */
function createTokenBucket(rate: number, burst: number, clock: Clock): { take(): boolean } {
  let tokens = burst;
  let at = clock.monotonic();
  return {
    take() {
      const now = clock.monotonic();
      tokens = Math.min(burst, tokens + ((now - at) / 1000) * rate);
      at = now;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
