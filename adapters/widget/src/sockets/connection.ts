import type { Clock, Logger } from "@parley/core";
import { createSlidingWindow } from "@parley/core/limits";
import type { WebSocket } from "ws";
import type { ServerFrame } from "./protocol.ts";

/** Close codes; the script reconnects after all but `unauthorized`, `forbidden` and `malformed`. */
export const CLOSE_CODES = {
  goingAway: 1001,
  tooSlow: 1013,
  malformed: 4400,
  unauthorized: 4401,
  forbidden: 4403,
  tooMany: 4429,
} as const;

const MAX_BUFFERED_BYTES = 1024 * 1024;
const FRAMES_WINDOW_MS = 10_000;
const MAX_FRAMES = 100;

/** One open socket of a page. */
export interface Connection {
  readonly channelId: string;
  readonly address: string;
  /** Id of the visitor, once they are known. */
  visitorId: string | undefined;
  /** Language of the page, as a tag. */
  language: string;
  /** False from a ping to its pong. */
  isAlive: boolean;
  /** Sends a frame of the conversation, after the `welcome` that is being prepared, if any. */
  send(frame: ServerFrame, traceId?: string): void;
  /** Sends at once, such as an `ack`. */
  sendNow(frame: ServerFrame): void;
  /** Holds frames of the conversation back while `prepare` reads the history, and sends those that the history lacks after it. */
  welcome(prepare: () => Promise<Welcome>): Promise<void>;
  /** Counts a received frame; false when there are too many. */
  countFrame(): boolean;
  isOpen(): boolean;
  ping(): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

/** The beginning of a conversation on a page. */
export interface Welcome {
  /** Returns the frames as of the moment in which they are sent. */
  listFrames(): readonly ServerFrame[];
  /** Traces whose answers are in the history, so that they are not sent again. */
  readonly answeredTraces: ReadonlySet<string>;
}

export interface ConnectionOptions {
  readonly socket: WebSocket;
  readonly channelId: string;
  readonly address: string;
  readonly language: string;
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Logger;
}

export function createConnection({ socket, channelId, address, language, clock, log }: ConnectionOptions): Connection {
  const window = createSlidingWindow(FRAMES_WINDOW_MS, () => clock.monotonic(), 1);
  let waiting: { readonly frame: ServerFrame; readonly traceId: string | undefined }[] | undefined;
  let answeredTraces: ReadonlySet<string> = new Set();
  const sendNow = (frame: ServerFrame) => {
    if (socket.readyState !== socket.OPEN) return;
    // The page gets the history when it reconnects, so a slow one costs no memory.
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) return socket.close(CLOSE_CODES.tooSlow, "too slow");
    socket.send(JSON.stringify(frame));
  };
  const isKnown = (frame: ServerFrame, traceId: string | undefined) =>
    frame.type === "message" && traceId !== undefined && answeredTraces.has(traceId);
  const connection: Connection = {
    channelId,
    address,
    visitorId: undefined,
    language,
    isAlive: true,
    sendNow,
    send(frame, traceId) {
      if (waiting) waiting.push({ frame, traceId });
      else if (!isKnown(frame, traceId)) sendNow(frame);
    },
    async welcome(prepare) {
      const queue: NonNullable<typeof waiting> = [];
      waiting = queue;
      const prepared = await prepare().catch((error: unknown) => {
        if (waiting === queue) waiting = undefined;
        throw error;
      });
      // A later welcome contains everything that was queued for this one.
      if (waiting !== queue) return;
      waiting = undefined;
      answeredTraces = prepared.answeredTraces;
      for (const frame of prepared.listFrames()) sendNow(frame);
      // An unfinished answer is among the frames as far as it was written.
      for (const { frame, traceId } of queue) if (frame.type !== "delta") connection.send(frame, traceId);
    },
    countFrame() {
      window.count("");
      return window.waitMs("", MAX_FRAMES) === 0;
    },
    isOpen: () => socket.readyState === socket.OPEN,
    ping: () => socket.ping(),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };
  socket.on("pong", () => {
    connection.isAlive = true;
  });
  socket.on("error", (error) => log.debug("a visitor's socket failed", { error }));
  return connection;
}
