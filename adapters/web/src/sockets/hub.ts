import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  type Accounts,
  AppError,
  type Caller,
  type Logger,
  newId,
  type SharedWindow,
  type SharedWindows,
  type SocketEndpoint,
} from "@parley/core";
import { createMemoryWindow } from "@parley/core/limits";
import { type WebSocket, WebSocketServer } from "ws";
import { webTexts } from "../texts.ts";
import { type ActionContext, handleFrame } from "./actions.ts";
import { CLOSE_CODES, type Connection, createConnection } from "./connection.ts";
import { checkConnectionLimits } from "./connection-limits.ts";
import { parseFrame } from "./frames.ts";
import { checkHandshake, type HandshakeResult, PROTOCOL, selectProtocol } from "./handshake.ts";
import { closeIfExpired, createKeepAlive, HEARTBEAT_MS } from "./keep-alive.ts";
import type { OpenSockets } from "./open-sockets.ts";
import { rejectWithError } from "./reject-upgrade.ts";

const PATH = "/api/ws";
const MAX_FRAME_BYTES = 1024 * 1024;
const MINUTE_MS = 60_000;

export interface SocketHubDeps extends Pick<ActionContext, "gateway" | "sessions" | "clock" | "confirmations"> {
  readonly accounts: Accounts;
  readonly log: Logger;
  readonly web: Readonly<Record<string, string>>;
  /** The address the service listens on; "" if it does not listen. */
  readonly getBoundAddress: () => string;
  /** If undefined, each process counts by itself. */
  readonly windows: () => SharedWindows | undefined;
  /** Subscribes to the moment when other processes take over the clients. Returns the unsubscribe function. */
  readonly onLeaving: (listener: () => void) => () => void;
}

export interface SocketHub {
  readonly endpoint: SocketEndpoint;
  /** Serves open and new sockets; the returned function stops that and leaves the sockets open. */
  start(sockets: OpenSockets): () => Promise<void>;
  /** Number of open connections, and of sessions visible to someone. */
  getCounts(): { readonly sockets: number; readonly visibleSessions: number };
  /** True when a connection shows the session on a visible page. */
  isVisible(sessionId: string): boolean;
}

/** The console's socket at /api/ws: live events out, chat input in. */
export function createSocketHub(deps: SocketHubDeps): SocketHub {
  const { accounts, log, clock, web, getBoundAddress } = deps;
  let openSockets: OpenSockets | undefined;
  const connections = () => [...(openSockets?.open.keys() ?? [])];
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    handleProtocols: selectProtocol,
  });
  const own = createMemoryWindow(MINUTE_MS, () => clock.monotonic());
  const used = () => deps.windows()?.open("socket-credentials", MINUTE_MS) ?? own;
  const context: ActionContext = {
    ...deps,
    get streams() {
      return requireOpen(openSockets).streams;
    },
    listOthers: (sessionId, except) => connections().filter((one) => one !== except && one.joined.has(sessionId)),
    async renewCaller(connection) {
      const caller = await accounts.authenticate(connection.secret, connection.address);
      connection.caller = caller;
      if (!caller) connection.close(CLOSE_CODES.unauthorized, "sign in again");
      return caller !== undefined;
    },
    countUse({ caller }) {
      if (!caller || caller.rateLimitPerMinute === 0) return undefined;
      return checkRateLimit(used(), caller);
    },
  };

  const endRevoked = (credentialId: string) => {
    for (const connection of connections()) {
      if (connection.caller?.credentialId === credentialId) connection.close(CLOSE_CODES.unauthorized, "signed out");
    }
  };

  const keepAlive = createKeepAlive({
    clock,
    log,
    getOpen: () => openSockets?.open,
    renewCaller: context.renewCaller,
  });

  const greet = (connection: Connection) => {
    connection.send({
      type: "ready",
      conn_id: connection.id,
      protocol: PROTOCOL,
      epoch: context.streams.epoch,
      heartbeat_ms: HEARTBEAT_MS,
      max_frame: MAX_FRAME_BYTES,
      username: connection.caller?.username,
      scopes: connection.caller?.scopes,
    });
  };
  const take = (socket: WebSocket, stream: Duplex, opening: HandshakeResult) => {
    const connection = createConnection({ id: newId("c"), socket, clock, ...opening });
    requireOpen(openSockets).add(connection, socket, stream);
    keepAlive.watch(connection);
    if (opening.caller) greet(connection);
  };
  const receive = async (connection: Connection, text: string | undefined) => {
    const frame = text === undefined ? undefined : parseFrame(text);
    if (!connection.countFrame()) {
      connection.send({ type: "error", error: "too many frames", code: "rate_limited" });
      return connection.close(CLOSE_CODES.tooManyFrames, "too many frames");
    }
    if (!frame) return connection.close(CLOSE_CODES.malformed, "malformed frame");
    if (closeIfExpired(connection, clock)) return;
    if (connection.caller) return handleFrame(connection, frame, context);
    if (frame.type !== "auth") return connection.close(CLOSE_CODES.unauthorized, "sign in first");
    connection.secret = String(frame.fields.token ?? "");
    if (await context.renewCaller(connection)) enter(connection);
  };
  const enter = (connection: Connection) => {
    try {
      checkConnectionLimits(
        connections().filter((one) => one !== connection),
        connection,
      );
      greet(connection);
    } catch (error) {
      if (!AppError.is(error)) throw error;
      connection.close(CLOSE_CODES.tooSlow, error.message);
    }
  };

  const upgrade = async (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    try {
      const opening = await checkHandshake(request, { accounts, web, boundTo: getBoundAddress() });
      const silent = checkConnectionLimits(connections(), opening);
      if (silent) openSockets?.open.get(silent)?.socket.terminate();
      sockets.handleUpgrade(request, stream, head, (socket) => take(socket, stream, opening));
    } catch (error) {
      rejectWithError(stream, AppError.is(error) ? error : new AppError("internal", "internal error"));
      if (!AppError.is(error)) log.error("a socket could not be opened", { error });
    }
  };
  return {
    endpoint: { path: PATH, take: (request, stream, head) => void upgrade(request, stream, head) },
    start(opened) {
      openSockets = opened;
      for (const connection of connections()) keepAlive.watch(connection);
      const stopKeepAlive = keepAlive.start();
      const stops = [accounts.onRevoked(endRevoked), deps.onLeaving(() => void opened.closeAll())];
      const endServing = opened.serve(receive);
      return async () => {
        stopKeepAlive();
        await endServing();
        for (const stop of stops) stop();
      };
    },
    isVisible: (sessionId) => connections().some(({ visible }) => visible.has(sessionId)),
    getCounts: () => ({
      sockets: connections().length,
      visibleSessions: new Set(connections().flatMap(({ visible }) => [...visible])).size,
    }),
  };
}

async function checkRateLimit(used: SharedWindow, { credentialId, rateLimitPerMinute }: Caller): Promise<void> {
  const waitMs = await used.use(credentialId, rateLimitPerMinute);
  if (waitMs > 0) throw webTexts.error("rate_limited", "too_often", { seconds: Math.ceil(waitMs / 1000) });
}

function requireOpen(sockets: OpenSockets | undefined): OpenSockets {
  if (!sockets) throw new AppError("unavailable", "the console's socket is not open yet");
  return sockets;
}
