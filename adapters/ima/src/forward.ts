import { type AppError, explained, keepConnected } from "@parley/core";
import { WebSocket } from "ws";
import { type Bridge, createBridge, MAX_FRAME_BYTES } from "./bridge.ts";
import type { Connection, ConnectionParts } from "./connection.ts";
import { idOf, isObject } from "./frame.ts";
import { imaFailure } from "./said-failures.ts";

const AFTER_REFUSAL_MS = 300_000;
/** It was reached, and ended the connection. */
const CLOSED = new Set(["ECONNRESET", "EPIPE", "socket hang up"]);

export interface ForwardParts extends ConnectionParts {
  /** Asked at each try; undefined: none is configured. */
  readonly address: () => string | undefined;
  /** Asked at each try; undefined: the bridge wants none. */
  readonly token: () => string | undefined;
  readonly random: () => number;
}

/** We dial the bridge, one socket at a time, again and again until it is stopped. */
export function createForwardConnection(parts: ForwardParts): Connection {
  const { timing, io, onReturn, address, random, left, leftKey } = parts;
  let current: Bridge | undefined;
  io.report({ connected: false });
  const connection = keepConnected({
    io,
    pauseMs: [timing.firstBackoffMs, timing.maxBackoffMs],
    random,
    async connect(opened, signal) {
      const uri = address();
      if (uri === undefined) throw refused(imaFailure("unavailable", "no_address"));
      checkAddress(uri);
      const [socket] = left.take(leftKey());
      const bridge = await identified(parts, socket ?? dial(parts, uri), signal);
      current = bridge;
      opened();
      onReturn(bridge).catch((error: unknown) => io.log.warn("what was said meanwhile is not known", { error }));
      await bridge.ended;
      current = undefined;
      throw bridge.wasRefused() ? refusedToken() : explained("unavailable", "bridge_lost", {});
    },
  });
  const end = () => connection[Symbol.asyncDispose]();
  return {
    bridge: () => current,
    async leave() {
      const bridge = current;
      if (bridge) left.leave(leftKey(), bridge.release());
      await bridge?.ended;
      await end();
    },
    [Symbol.asyncDispose]: end,
  };
}

function dial({ timing, token }: ForwardParts, uri: string): WebSocket {
  const secret = token();
  return new WebSocket(uri, {
    handshakeTimeout: timing.handshakeMs,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
    ...(secret !== undefined && { headers: { authorization: `Bearer ${secret}` } }),
  });
}

/** Connects and learns who we are; throws when either takes too long. */
async function identified(parts: ForwardParts, socket: WebSocket, signal: AbortSignal): Promise<Bridge> {
  const { timing, io, onEvent, onAccount } = parts;
  const abandon = () => socket.terminate();
  signal.addEventListener("abort", abandon, { once: true });
  // Listens from the first moment: a bridge talks as soon as it is connected.
  const bridge = createBridge({ socket, timing, log: io.log, onEvent });
  void bridge.ended.then(() => signal.removeEventListener("abort", abandon));
  if (socket.readyState !== WebSocket.OPEN) await opened(socket);
  const late = setTimeout(abandon, timing.identifyMs);
  try {
    const info = await bridge.call("get_login_info", {});
    onAccount(isObject(info) ? idOf(info.user_id) : "");
  } catch (error) {
    socket.terminate();
    await bridge.ended;
    if (bridge.wasRefused()) throw refusedToken();
    throw error;
  } finally {
    clearTimeout(late);
  }
  return bridge;
}

const refusedToken = () => refused(imaFailure("upstream_failed", "refused_token"));

/** Trying again soon would not help. */
function refused(failure: AppError): AppError & { readonly retryAfterMs: number } {
  return Object.assign(failure, { retryAfterMs: AFTER_REFUSAL_MS });
}

async function opened(socket: WebSocket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const answered = (_request: unknown, { statusCode }: { readonly statusCode?: number }) => {
    reject(
      statusCode === 401 || statusCode === 403
        ? refused(imaFailure("upstream_failed", "refused_with", { status: statusCode }))
        : imaFailure("upstream_failed", "answered", { status: statusCode ?? 0 }),
    );
    socket.terminate();
  };
  socket.once("open", resolve);
  socket.once("unexpected-response", answered);
  socket.once("error", ({ code, message }: NodeJS.ErrnoException) =>
    reject(
      CLOSED.has(code ?? message)
        ? imaFailure("upstream_failed", "closed")
        : imaFailure("upstream_failed", "unreachable", { code: code ?? message }),
    ),
  );
  socket.once("close", () => reject(imaFailure("upstream_failed", "closed")));
  await promise;
}

/** Private networks are where bridges live; link-local addresses, with the clouds' own services, are not. */
function checkAddress(uri: string): void {
  const host = URL.parse(uri)?.hostname ?? "";
  if (/^169\.254\.|^\[fe80:/i.test(host))
    throw refused(imaFailure("bad_request", "refused_address", {}, { field: "ws_uri" }));
}
