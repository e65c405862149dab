import type { AppError, ChannelIo } from "@parley/core";
import { keepConnected } from "@parley/core/channels";
import { WebSocket } from "ws";
import { chatSdkTexts } from "../texts.ts";
import { createHeartbeat } from "./heartbeat.ts";

/** Subscribed events: guilds, and messages and reactions with their content, in guilds and private chats. */
const INTENTS = (1 << 0) | (1 << 9) | (1 << 10) | (1 << 12) | (1 << 13) | (1 << 15);
const HANDSHAKE_MS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;
const REJECTED_RETRY_MS = 300_000;
const VERSION_QUERY = "v=10&encoding=json";

const DISPATCH = 0;
const HEARTBEAT = 1;
const IDENTIFY = 2;
const RESUME = 6;
const RECONNECT = 7;
const INVALID_SESSION = 9;
const HELLO = 10;
const HEARTBEAT_ACK = 11;

/** A frame of Discord's gateway. */
export interface GatewayFrame {
  readonly op: number;
  readonly s?: number | null;
  readonly t?: string | null;
  readonly d?: unknown;
}

/** A session of the gateway, which another connection resumes: Discord then repeats the events after `seq`. */
export interface GatewaySession {
  readonly id: string;
  readonly url: string;
  /** Sequence number of the last stored event. */
  readonly seq: number;
}

export interface GatewaySocketDeps {
  readonly io: Pick<ChannelIo, "report" | "log">;
  readonly token: () => Promise<string>;
  /** Returns the address of the gateway for a new session. */
  readonly findUrl: (signal: AbortSignal) => Promise<string>;
  /** Resolves once the event is stored. */
  readonly onEvent: (type: string, data: unknown) => Promise<void>;
  readonly loadSession: () => Promise<GatewaySession | undefined>;
  /** Stores the session, or forgets it. */
  readonly saveSession: (session: GatewaySession | undefined) => void;
  /** First and maximum delay between two attempts to connect. */
  readonly backoffMs?: readonly [first: number, most: number] | undefined;
}

/**
 * Maintains one connection to the gateway; each resumes the session of the one before, also after a restart of the service. A session's
 * own address is given up for the general one after an attempt that did not reach the gateway: it may have moved in the meantime.
 */
export function openGatewaySocket(deps: GatewaySocketDeps): AsyncDisposable {
  const { io, backoffMs } = deps;
  let isReached = true;
  return keepConnected({
    io,
    ...(backoffMs && { pauseMs: backoffMs }),
    async connect(opened, signal) {
      const token = await deps.token();
      const session = await deps.loadSession();
      const ownUrl = isReached ? session?.url : undefined;
      isReached = false;
      const url = toSocketUrl(ownUrl ?? (await deps.findUrl(signal)));
      const reached = () => {
        isReached = true;
      };
      throw toLoss(deps, await serveConnection({ ...deps, url, token, session, opened, reached, signal }));
    },
  });
}

/** Returns the error of a connection that ended with this code; forgets a session that cannot be resumed. */
function toLoss({ saveSession }: GatewaySocketDeps, code: number): AppError {
  const next = getCloseAction(code);
  if (next !== "resume") saveSession(undefined);
  if (next === "stop") return withRetryAfter(chatSdkTexts.error("upstream_failed", "gateway_refused", { code }));
  return chatSdkTexts.error("unavailable", "gateway_lost");
}

/** Returns the action for a close code of Discord. */
function getCloseAction(code: number): "resume" | "identify" | "stop" {
  if (code === 4_004 || (code >= 4_010 && code <= 4_014)) return "stop";
  return code === 4_003 || code === 4_007 || code === 4_009 ? "identify" : "resume";
}

/** Adds the delay until the next attempt to an error. */
function withRetryAfter(failure: AppError): AppError & { readonly retryAfterMs: number } {
  return Object.assign(failure, { retryAfterMs: REJECTED_RETRY_MS });
}

function toSocketUrl(given: string): string {
  const url = URL.parse(given);
  if (!url || !/^wss?:$/.test(url.protocol) || /^169\.254\.|^\[fe80:/i.test(url.hostname))
    throw chatSdkTexts.error("upstream_failed", "gateway_address");
  url.search = VERSION_QUERY;
  return url.href;
}

interface Connection extends Omit<GatewaySocketDeps, "token"> {
  readonly url: string;
  readonly token: string;
  /** The session to resume. */
  readonly session: GatewaySession | undefined;
  readonly opened: () => void;
  /** Called when the gateway greets. */
  readonly reached: () => void;
  readonly signal: AbortSignal;
}

/** Serves one connection until it ends, and until the events that it received are stored; resolves with its close code. */
async function serveConnection(connection: Connection): Promise<number> {
  const { url, signal } = connection;
  const socket = new WebSocket(url, { handshakeTimeout: HANDSHAKE_MS, maxPayload: MAX_BYTES });
  const { promise: closed, resolve } = Promise.withResolvers<number>();
  const handled = handleFrames(connection, socket);
  socket.on("close", resolve);
  const end = () => {
    socket.terminate();
    resolve(1_000);
  };
  signal.addEventListener("abort", end, { once: true });
  const code = await closed;
  signal.removeEventListener("abort", end);
  // The next connection asks for the events after the last stored one; disposal does not wait for a hanging storage.
  if (!signal.aborted) await handled();
  return code;
}

/** Handles the frames of a socket one after the other; returns a function that resolves once those that arrived are handled. */
function handleFrames(connection: Connection, socket: WebSocket): () => Promise<unknown> {
  const { io } = connection;
  const receiver = createReceiver(connection, socket);
  let handled: Promise<unknown> = Promise.resolve();
  socket.on("message", (bytes) => {
    handled = handled.then(() => receiver.receive(parseFrame(String(bytes))));
    handled.catch((error: unknown) => {
      io.log.error("an event of the gateway could not be accepted; reconnecting", { error });
      socket.terminate();
    });
  });
  socket.on("error", (error) => io.log.debug("the gateway's connection failed", { error }));
  socket.on("close", receiver.stop);
  return () => handled.catch(() => undefined);
}

function parseFrame(text: string): GatewayFrame {
  const frame: unknown = JSON.parse(text);
  if (typeof frame !== "object" || frame === null || !("op" in frame) || typeof frame.op !== "number")
    throw new Error("a frame of the gateway has no operation");
  return { ...frame, op: frame.op };
}

/** Creates what answers the frames of one connection, one after the other. */
function createReceiver(connection: Connection, socket: WebSocket) {
  const { token, session: before, opened, reached, onEvent, saveSession } = connection;
  let session = before;
  const send = (op: number, d: unknown) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ op, d }));
  };
  const heartbeat = createHeartbeat(
    () => send(HEARTBEAT, session?.seq ?? null),
    () => socket.terminate(),
  );
  const handleEvent = async ({ t, s, d }: GatewayFrame) => {
    if (t === "READY") session = readSession(d);
    if (t === "READY" || t === "RESUMED") opened();
    else if (t) await onEvent(t, d);
    // Only stored events count as received, so another connection gets the others again.
    if (session && typeof s === "number") session = { ...session, seq: s };
    if (session) saveSession(session);
  };
  const receive = async (frame: GatewayFrame) => {
    if (frame.op === HELLO) {
      reached();
      heartbeat.beatEvery(readInterval(frame.d));
      if (session) send(RESUME, { token, session_id: session.id, seq: session.seq });
      else
        send(IDENTIFY, { token, intents: INTENTS, properties: { os: "linux", browser: "parley", device: "parley" } });
    } else if (frame.op === HEARTBEAT) send(HEARTBEAT, session?.seq ?? null);
    else if (frame.op === HEARTBEAT_ACK) heartbeat.answered();
    else if (frame.op === RECONNECT) socket.close(4_000);
    else if (frame.op === INVALID_SESSION) {
      session = undefined;
      saveSession(undefined);
      socket.close(4_000);
    } else if (frame.op === DISPATCH) await handleEvent(frame);
  };
  return { receive, stop: heartbeat.stop };
}

const readField = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

function readSession(ready: unknown): GatewaySession {
  return { id: String(readField(ready, "session_id")), url: String(readField(ready, "resume_gateway_url")), seq: 0 };
}

function readInterval(hello: unknown): number {
  return Math.max(Number(readField(hello, "heartbeat_interval")) || 41_250, 10);
}
