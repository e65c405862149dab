import type { Duplex } from "node:stream";
import {
  ANONYMOUS,
  type Caller,
  type Clock,
  findLogDetail,
  hasScope,
  type LiveEvent,
  type LiveEvents,
  type LogFeed,
  type Logger,
  type LogRow,
  mayReceive,
} from "@parley/core";
import type { WebSocket } from "ws";
import { CLOSE_CODES, type Connection } from "./connection.ts";
import { awaitFirstFrame } from "./first-frame.ts";
import type { Topic } from "./frames.ts";
import { CONSOLE_STREAM, createStreams, type StreamedEvent, type Streams } from "./streams.ts";

const CLOSE_TIMEOUT_MS = 1_000;
const TOPIC_BY_TYPE: Readonly<Record<string, Topic>> = {
  gateway_event: "gateway",
  mcp_event: "mcp",
  task_event: "tasks",
};

export interface OpenSocketsDeps {
  readonly events: Pick<LiveEvents, "watch">;
  readonly logFeed: Pick<LogFeed, "subscribe">;
  readonly clock: Clock;
  readonly log: Logger;
}

interface OpenSocket {
  readonly socket: WebSocket;
  pingAt: number;
  pongDue: number;
  recheckAt: number;
}

/** Handles one frame of a client; undefined for a binary frame. */
export type FrameHandler = (connection: Connection, text: string | undefined) => Promise<void>;

/** The open sockets and their event streams. They outlive the plugins that serve them. */
export interface OpenSockets {
  readonly streams: Streams;
  readonly open: ReadonlyMap<Connection, OpenSocket>;
  add(connection: Connection, socket: WebSocket, stream: Duplex): void;
  /** Passes frames to a handler. The returned function stops that: running calls finish, and later frames wait for the next handler. */
  serve(handler: FrameHandler): () => Promise<void>;
  /** Closes all that are open. */
  closeAll(): Promise<void>;
  /** Closes all sockets and publishes nothing more. */
  end(): Promise<void>;
}

export function createOpenSockets({ events, logFeed, clock, log }: OpenSocketsDeps): OpenSockets {
  const streams = createStreams(clock);
  const open = new Map<Connection, OpenSocket>();
  const publishing = startPublishing(open, streams, { events, logFeed, clock });
  const answering = new Set<Promise<void>>();
  let next = Promise.withResolvers<FrameHandler>();
  const answer = async (connection: Connection, text: string | undefined) => {
    const handle = await next.promise;
    const answered = handle(connection, text);
    answering.add(answered);
    await answered.finally(() => answering.delete(answered));
  };
  const closeAll = async () => {
    const closed = [...open].map(([connection, { socket }]) => {
      const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      connection.close(CLOSE_CODES.goingAway, "the service restarts");
      return ended;
    });
    const late = setTimeout(() => {
      for (const { socket } of open.values()) socket.terminate();
    }, CLOSE_TIMEOUT_MS);
    await Promise.all(closed);
    clearTimeout(late);
  };
  return {
    streams,
    open,
    add(connection, socket, stream) {
      const state: OpenSocket = { socket, pingAt: Infinity, pongDue: Infinity, recheckAt: Infinity };
      open.set(connection, state);
      socket.on("pong", () => {
        state.pongDue = Infinity;
      });
      socket.on("close", () => void open.delete(connection));
      socket.on("error", (error) => log.debug("socket failed", { error }));
      readFrames(connection, socket, stream, (text) =>
        answer(connection, text).catch((error) => log.error("a socket frame could not be answered", { error })),
      );
    },
    serve(handler) {
      next.resolve(handler);
      for (const socket of listSignedIn(open)) socket.resume();
      return async () => {
        next = Promise.withResolvers();
        for (const socket of listSignedIn(open)) socket.pause();
        await Promise.allSettled(answering);
      };
    },
    closeAll,
    async end() {
      for (const stop of publishing) stop();
      await closeAll();
    },
  };
}

/** Returns the authenticated sockets, which are read without a limit; others are read frame by frame. */
function listSignedIn(open: OpenSockets["open"]): readonly WebSocket[] {
  return [...open].filter(([{ caller }]) => caller !== undefined).map(([, { socket }]) => socket);
}

/** Passes frames to `answer` one after another, so that a client's frames are handled in order. */
function readFrames(
  connection: Connection,
  socket: WebSocket,
  stream: Duplex,
  answer: (text: string | undefined) => Promise<void>,
): void {
  const reject = () => {
    connection.close(CLOSE_CODES.unauthorized, "sign in first");
    // Without the close handshake: the server does not wait for an unauthenticated client.
    socket.terminate();
  };
  const first = connection.caller ? undefined : awaitFirstFrame(socket, stream, reject);
  let last = Promise.resolve();
  socket.on("message", (bytes, isBinary) => {
    last = last
      .then(() => answer(isBinary ? undefined : String(bytes)))
      .then(() => (connection.caller ? first?.letIn() : socket.terminate()));
  });
}

function startPublishing(
  open: OpenSockets["open"],
  streams: Streams,
  { events, logFeed, clock }: Omit<OpenSocketsDeps, "log">,
): readonly (() => void)[] {
  const publish = (event: LiveEvent) => {
    const topic = TOPIC_BY_TYPE[event.type];
    if (topic) {
      for (const connection of open.keys()) {
        if (
          connection.topics.has(topic) &&
          canRead(connection, clock) &&
          mayReceive(connection.caller ?? ANONYMOUS, event)
        )
          connection.sendRow(event.type, event.payload);
      }
      return;
    }
    const streamed = streams.append(event);
    for (const connection of open.keys()) if (isSubscribed(connection, streamed, clock)) connection.sendEvent(streamed);
    if (event.type === "new_message" && event.session_id !== undefined) notifyOthers(event.session_id);
  };
  // A client that lists conversations has joined only one, and needs events of the others too.
  const notifyOthers = (session_id: string) => {
    if (open.size === 0) return;
    const activity = streams.append({ type: "session_activity", durable: false, payload: { session_id } });
    for (const connection of open.keys()) {
      if (!connection.joined.has(session_id) && isSubscribed(connection, activity, clock))
        connection.sendEvent(activity);
    }
  };
  const publishRow = (row: LogRow) => {
    for (const connection of open.keys()) {
      if (connection.topics.has("logs") && canRead(connection, clock))
        connection.sendRow("log_row", { ...row, message_detail: findLogDetail(row.message) ?? null });
    }
  };
  return [events.watch(publish), logFeed.subscribe(publishRow)];
}

function isSubscribed(connection: Connection, { stream }: StreamedEvent, clock: Clock): boolean {
  return canRead(connection, clock) && (stream === CONSOLE_STREAM || connection.joined.has(stream));
}

function canRead({ caller }: Connection, clock: Clock): boolean {
  return caller !== undefined && !isExpired(caller, clock) && hasScope(caller, "read");
}

export function isExpired({ expiresAt }: Caller, clock: Clock): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= clock.now();
}
