import type { AppError, ChannelIo } from "@parley/core";
import { keepConnected } from "@parley/core/channels";
import { WebSocket } from "ws";
import { imaTexts } from "../texts.ts";
import type { BotApi } from "./bot-api.ts";
import type { BotFrame } from "./decode.ts";

/** Subscribed events: group and direct messages, mentions in guilds, direct messages of guilds. */
const INTENTS = (1 << 25) | (1 << 30) | (1 << 12);
const HANDSHAKE_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
const REJECTED_RETRY_MS = 300_000;
const HELLO = 10;
const IDENTIFY = 2;
const DISPATCH = 0;
const HEARTBEAT = 1;
const HEARTBEAT_ACK = 11;
const RESUME = 6;
const RECONNECT = 7;
const INVALID_SESSION = 9;

export interface GatewaySocketDeps {
  readonly api: BotApi;
  readonly io: ChannelIo;
  /** Resolves once the event is stored. */
  readonly onFrame: (frame: BotFrame) => Promise<void>;
  readonly random: () => number;
  /** First and maximum delay between two attempts to connect. */
  readonly backoffMs: readonly [first: number, most: number];
  readonly sessions: GatewaySessions;
  /** Key of the channel and its account in `sessions`. */
  readonly sessionKey: string;
}

interface Session {
  readonly id: string;
  /** Sequence number of the last stored event. */
  readonly seq: number;
}

/** Sessions of closed sockets. The channel's next socket resumes one, and the platform repeats what was missed. */
export interface GatewaySessions {
  store(key: string, session: Session): void;
  /** Removes and returns the session; undefined when it was stored more than 30 s ago. */
  take(key: string): Session | undefined;
  clear(): void;
}

/** Time for which the session of a closed socket is stored, which is longer than a reload takes. */
const SESSION_TTL_MS = 30_000;

export function createGatewaySessions(monotonic = () => performance.now()): GatewaySessions {
  const stored = new Map<string, { readonly session: Session; readonly untilMs: number }>();
  return {
    store: (key, session) => void stored.set(key, { session, untilMs: monotonic() + SESSION_TTL_MS }),
    take(key) {
      const found = stored.get(key);
      stored.delete(key);
      return found && found.untilMs > monotonic() ? found.session : undefined;
    },
    clear: () => stored.clear(),
  };
}

/** Returns the action for a close code. */
function getCloseAction(code: number): "resume" | "identify" | "stop" {
  if (code === 4_001 || code === 4_002 || (code >= 4_010 && code <= 4_015)) return "stop";
  if (code === 4_914 || code === 4_915) return "stop";
  return code === 4_006 || code === 4_007 || (code >= 4_900 && code <= 4_913) ? "identify" : "resume";
}

/** Maintains one socket at a time; each resumes the session of the last one, also of the one before a reload. */
export function openGatewaySocket(deps: GatewaySocketDeps): AsyncDisposable {
  const { io, random, backoffMs, sessions, sessionKey } = deps;
  let session = sessions.take(sessionKey);
  io.report({ connected: false });
  const connection = keepConnected({
    io,
    pauseMs: backoffMs,
    random,
    async connect(opened, signal) {
      const token = await deps.api.token(signal);
      const url = await getGatewayUrl(deps.api, session, signal);
      const served = serve({ ...deps, url, token, session, opened, signal });
      const code = await served.closed;
      const next = getCloseAction(code);
      session = next === "resume" ? served.session() : undefined;
      if (next === "stop") throw withRetryAfter(imaTexts.error("upstream_failed", "bot_refused", { code }));
      throw imaTexts.error("unavailable", "lost");
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]();
      if (session) sessions.store(sessionKey, session);
    },
  };
}

/** Adds the delay until the next attempt to an error. */
function withRetryAfter(
  failure: AppError,
  retryAfterMs = REJECTED_RETRY_MS,
): AppError & { readonly retryAfterMs: number } {
  return Object.assign(failure, { retryAfterMs });
}

async function getGatewayUrl(api: BotApi, session: Session | undefined, signal: AbortSignal): Promise<string> {
  const gateway = await api.call("GET", "/gateway/bot", undefined, signal);
  const limit = (gateway.session_start_limit ?? {}) as { readonly remaining?: number; readonly reset_after?: number };
  // Resuming a session does not count towards the limit.
  if (limit.remaining === 0 && !session)
    throw withRetryAfter(imaTexts.error("unavailable", "no_more"), limit.reset_after);
  return validateAddress(gateway.url);
}

interface ServeOptions extends GatewaySocketDeps {
  readonly url: string;
  readonly token: string;
  /** The session to resume. */
  readonly session: Session | undefined;
  readonly opened: () => void;
  readonly signal: AbortSignal;
}

/** Serves one connection until it ends; returns its close code and the session the next one can resume. */
function serve({ url, token, session: before, opened, signal, io, onFrame }: ServeOptions) {
  const socket = new WebSocket(url, {
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MAX_BYTES,
    perMessageDeflate: false,
  });
  const abandon = () => socket.terminate();
  signal.addEventListener("abort", abandon, { once: true });
  const { promise: closed, resolve } = Promise.withResolvers<number>();
  let session = before;
  let handled: Promise<unknown> = Promise.resolve();
  const send = (frame: object) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(frame));
  const heartbeat = createHeartbeat(
    () => send({ op: HEARTBEAT, d: session?.seq ?? null }),
    () => socket.terminate(),
  );
  const identifyOrResume = () => {
    const authorization = { token: `QQBot ${token}` };
    if (session) send({ op: RESUME, d: { ...authorization, session_id: session.id, seq: session.seq } });
    else send({ op: IDENTIFY, d: { ...authorization, intents: INTENTS, shard: [0, 1] } });
  };
  const handleFrame = async (frame: BotFrame) => {
    if (frame.t === "READY") session = { id: String(frame.d?.session_id), seq: frame.s ?? 0 };
    if (frame.t === "READY" || frame.t === "RESUMED") opened();
    else await onFrame(frame);
    // Only stored events count as received, so a new connection gets the others again.
    if (session && frame.s !== undefined) session = { ...session, seq: frame.s };
  };
  const receive = async (frame: BotFrame) => {
    if (frame.op === HELLO) {
      heartbeat.beatEvery(Math.max(Number(frame.d?.heartbeat_interval) || 45_000, 10));
      identifyOrResume();
    } else if (frame.op === HEARTBEAT_ACK) heartbeat.answered();
    else if (frame.op === RECONNECT) socket.close(4_000);
    else if (frame.op === INVALID_SESSION) {
      session = undefined;
      socket.close(4_000);
    } else if (frame.op === DISPATCH) await handleFrame(frame);
  };
  socket.on("message", (text) => {
    handled = handled.then(() => receive(JSON.parse(String(text)) as BotFrame));
    handled.catch((error: unknown) => {
      io.log.error("an event could not be accepted; reconnecting", { error });
      socket.terminate();
    });
  });
  socket.on("error", (error) => io.log.debug("the socket failed", { error }));
  socket.on("close", (code) => {
    heartbeat.stop();
    signal.removeEventListener("abort", abandon);
    const finish = () => {
      signal.removeEventListener("abort", finish);
      resolve(code);
    };
    if (signal.aborted) return finish();
    // Received events are stored before the next connection sends its position; disposal does not wait for that.
    signal.addEventListener("abort", finish, { once: true });
    void handled.catch(() => {}).then(finish);
  });
  return { closed, session: () => session };
}

/** Sends heartbeats, and detects a dead connection. */
function createHeartbeat(sendBeat: () => void, onDead: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let isAnswered = true;
  return {
    beatEvery(ms: number) {
      clearInterval(timer);
      timer = setInterval(() => {
        if (!isAnswered) return onDead();
        isAnswered = false;
        sendBeat();
      }, ms);
    },
    answered() {
      isAnswered = true;
    },
    stop: () => clearInterval(timer),
  };
}

function validateAddress(url: unknown): string {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  const isSocket = parsed?.protocol === "wss:" || parsed?.protocol === "ws:";
  if (!parsed || !isSocket || /^169\.254\.|^\[fe80:/i.test(parsed.hostname))
    throw imaTexts.error("upstream_failed", "odd_address");
  return parsed.href;
}
