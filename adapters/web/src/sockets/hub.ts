import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  type Accounts,
  AppError,
  type Caller,
  type Clock,
  createMemoryWindow,
  type Gateway,
  type Logger,
  newId,
  type Sessions,
  type SharedWindow,
  type SharedWindows,
  type SocketDoor,
  type ToolConfirmations,
} from "@parley/core";
import { type WebSocket, WebSocketServer } from "ws";
import { webFailure } from "../said-failures.ts";
import { answerFrame } from "./actions.ts";
import { CLOSE, type Connection, createConnection } from "./connection.ts";
import { parseFrame } from "./frames.ts";
import { checkHandshake, chosenProtocol, type Opening, PROTOCOL } from "./handshake.ts";
import { isOver, type OpenSockets } from "./open-sockets.ts";
import { refuse } from "./refuse.ts";
import { refuseTooMany } from "./room-for.ts";
import type { Streams } from "./streams.ts";

const PATH = "/api/ws";
const MAX_FRAME_BYTES = 1024 * 1024;
const HEARTBEAT_MS = 25_000;
const PONG_WITHIN_MS = 10_000;
const RECHECK_MS = 60_000;
const TICK_MS = 1_000;
const MINUTE_MS = 60_000;

export interface SocketHubParts {
  readonly accounts: Accounts;
  readonly gateway: Gateway;
  readonly sessions: Sessions;
  readonly log: Logger;
  readonly clock: Clock;
  readonly web: Readonly<Record<string, string>>;
  /** The address the service listens on; "" when it does not. */
  readonly boundTo: () => string;
  /** Undefined: each process counts by itself. */
  readonly windows: () => SharedWindows | undefined;
  /** What tools ask people; undefined when nothing asks. */
  readonly confirmations: () => ToolConfirmations | undefined;
  /** Hears when other processes are to take those who are here. Returns the end of it. */
  readonly onLeaving: (heard: () => void) => () => void;
}

/** What the actions of a client need. */
export interface Room extends Pick<SocketHubParts, "gateway" | "sessions" | "clock" | "confirmations"> {
  readonly streams: Streams;
  others(sessionId: string, except: Connection): readonly Connection[];
  /** The caller's credential, looked up again; the connection ends when it does not hold any more. */
  renewCaller(connection: Connection): Promise<boolean>;
  /** Counts what is asked with a key that may ask so much a minute; throws `rate_limited`. */
  countUse(connection: Connection): Promise<void> | undefined;
}

export interface SocketHub {
  readonly door: SocketDoor;
  /** Begins to serve those who are there and those who come; what it returns ends that and leaves the sockets open. */
  start(sockets: OpenSockets): () => Promise<void>;
  /** Open connections, and sessions that somebody looks at. */
  counts(): { readonly sockets: number; readonly visibleSessions: number };
  /** Whether one of them shows the session to somebody. */
  isVisible(sessionId: string): boolean;
}

/** The console's socket at /api/ws: live events out, chat input in. */
export function createSocketHub(parts: SocketHubParts): SocketHub {
  const { accounts, log, clock, web, boundTo } = parts;
  let lobby: OpenSockets | undefined;
  const connections = () => [...(lobby?.open.keys() ?? [])];
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    handleProtocols: chosenProtocol,
  });
  const own = createMemoryWindow(MINUTE_MS, () => clock.monotonic());
  const used = () => parts.windows()?.open("socket-credentials", MINUTE_MS) ?? own;
  const room: Room = {
    ...parts,
    get streams() {
      return openedBy(lobby).streams;
    },
    others: (sessionId, except) => connections().filter((one) => one !== except && one.joined.has(sessionId)),
    async renewCaller(connection) {
      const caller = await accounts.authenticate(connection.secret, connection.address);
      connection.caller = caller;
      if (!caller) connection.close(CLOSE.unauthorized, "sign in again");
      return caller !== undefined;
    },
    countUse({ caller }) {
      if (!caller || caller.rateLimitPerMinute === 0) return undefined;
      return count(used(), caller);
    },
  };

  const endRevoked = (credentialId: string) => {
    for (const connection of connections()) {
      if (connection.caller?.credentialId === credentialId) connection.close(CLOSE.unauthorized, "signed out");
    }
  };

  const endWhenOver = (connection: Connection): boolean => {
    const isEnded = connection.caller !== undefined && isOver(connection.caller, clock);
    if (isEnded) connection.close(CLOSE.unauthorized, "sign in again");
    return isEnded;
  };

  const greet = (connection: Connection) => {
    connection.send({
      type: "ready",
      conn_id: connection.id,
      protocol: PROTOCOL,
      epoch: room.streams.epoch,
      heartbeat_ms: HEARTBEAT_MS,
      max_frame: MAX_FRAME_BYTES,
      username: connection.caller?.username,
      scopes: connection.caller?.scopes,
    });
  };
  const take = (socket: WebSocket, stream: Duplex, opening: Opening) => {
    const connection = createConnection({ id: newId("c"), socket, clock, ...opening });
    openedBy(lobby).add(connection, socket, stream);
    watch(connection);
    if (opening.caller) greet(connection);
  };
  const watch = (connection: Connection) => {
    const state = lobby?.open.get(connection);
    if (!state) return;
    const now = clock.monotonic();
    Object.assign(state, { pingAt: now + HEARTBEAT_MS, pongDue: Infinity, recheckAt: now + RECHECK_MS });
  };
  const receive = async (connection: Connection, text: string | undefined) => {
    const frame = text === undefined ? undefined : parseFrame(text);
    if (!connection.countFrame()) {
      connection.send({ type: "error", error: "too many frames", code: "rate_limited" });
      return connection.close(CLOSE.tooManyFrames, "too many frames");
    }
    if (!frame) return connection.close(CLOSE.malformed, "malformed frame");
    if (endWhenOver(connection)) return;
    if (connection.caller) return answerFrame(connection, frame, room);
    if (frame.type !== "auth") return connection.close(CLOSE.unauthorized, "sign in first");
    connection.secret = String(frame.fields.token ?? "");
    if (await room.renewCaller(connection)) enter(connection);
  };
  const enter = (connection: Connection) => {
    try {
      refuseTooMany(
        connections().filter((one) => one !== connection),
        connection,
      );
      greet(connection);
    } catch (error) {
      if (!AppError.is(error)) throw error;
      connection.close(CLOSE.tooSlow, error.message);
    }
  };

  const upgrade = async (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    try {
      const opening = await checkHandshake(request, { accounts, web, boundTo: boundTo() });
      const silent = refuseTooMany(connections(), opening);
      if (silent) lobby?.open.get(silent)?.socket.terminate();
      sockets.handleUpgrade(request, stream, head, (socket) => take(socket, stream, opening));
    } catch (error) {
      refuse(stream, AppError.is(error) ? error : new AppError("internal", "internal error"));
      if (!AppError.is(error)) log.error("a socket could not be opened", { error });
    }
  };
  const tick = () => {
    const now = clock.monotonic();
    for (const [connection, state] of lobby?.open ?? []) {
      connection.checkPace();
      endWhenOver(connection);
      if (now >= state.pongDue) {
        connection.close(CLOSE.noPong, "no pong");
        state.socket.terminate();
      } else if (now >= state.pingAt) {
        state.pingAt = now + HEARTBEAT_MS;
        state.pongDue = Math.min(state.pongDue, now + PONG_WITHIN_MS);
        state.socket.ping();
      }
      if (now >= state.recheckAt && connection.caller) {
        state.recheckAt = now + RECHECK_MS;
        room.renewCaller(connection).catch((error) => log.error("a credential could not be checked", { error }));
      }
    }
  };
  return {
    door: { path: PATH, take: (request, stream, head) => void upgrade(request, stream, head) },
    start(opened) {
      lobby = opened;
      for (const connection of connections()) watch(connection);
      const timer = setInterval(tick, TICK_MS);
      const stops = [accounts.onRevoked(endRevoked), parts.onLeaving(() => void opened.closeAll())];
      const endServing = opened.serve(receive);
      return async () => {
        clearInterval(timer);
        await endServing();
        for (const stop of stops) stop();
      };
    },
    isVisible: (sessionId) => connections().some(({ visible }) => visible.has(sessionId)),
    counts: () => ({
      sockets: connections().length,
      visibleSessions: new Set(connections().flatMap(({ visible }) => [...visible])).size,
    }),
  };
}

async function count(used: SharedWindow, { credentialId, rateLimitPerMinute }: Caller): Promise<void> {
  const waitMs = await used.use(credentialId, rateLimitPerMinute);
  if (waitMs > 0) throw webFailure("rate_limited", "too_often", { seconds: Math.ceil(waitMs / 1000) });
}

function openedBy(sockets: OpenSockets | undefined): OpenSockets {
  if (!sockets) throw new AppError("unavailable", "the console's socket is not open yet");
  return sockets;
}
