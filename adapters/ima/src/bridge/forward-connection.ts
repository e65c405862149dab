import { type AppError, toSharedError } from "@parley/core";
import { keepConnected } from "@parley/core/channels";
import { isObject } from "@parley/core/json";
import { WebSocket } from "ws";
import { imaTexts } from "../texts.ts";
import { type Bridge, createBridge, MAX_FRAME_BYTES } from "./bridge.ts";
import type { Connection, ConnectionOptions } from "./connection.ts";
import { toIdText } from "./frame.ts";

const REJECTED_RETRY_MS = 300_000;
/** Codes, or messages of errors without a code, of a connection that was accepted and then closed. */
const CLOSED_ERRORS = new Set(["ECONNRESET", "EPIPE", "socket hang up"]);

export interface ForwardConnectionOptions extends ConnectionOptions {
  /** Returns the address for each attempt; undefined when none is configured. */
  readonly getAddress: () => string | undefined;
  /** Returns the token for each attempt; undefined when the bridge needs none. */
  readonly getToken: () => string | undefined;
  readonly random: () => number;
}

/** Creates the connection that this service opens to the bridge, one socket at a time, until it is stopped. */
export function createForwardConnection(options: ForwardConnectionOptions): Connection {
  const { timing, io, onConnected, getAddress, random, handedOver, handoverKey } = options;
  let current: Bridge | undefined;
  io.report({ connected: false });
  const connection = keepConnected({
    io,
    pauseMs: [timing.firstBackoffMs, timing.maxBackoffMs],
    random,
    async connect(opened, signal) {
      const uri = getAddress();
      if (uri === undefined) throw withRetryAfter(imaTexts.error("unavailable", "no_address"));
      checkAddress(uri);
      const [socket] = handedOver.take(handoverKey());
      const bridge = await identify(options, socket ?? dialBridge(options, uri), signal);
      current = bridge;
      opened();
      onConnected(bridge).catch((error: unknown) =>
        io.log.warn("messages sent in the meantime could not be fetched", { error }),
      );
      await bridge.ended;
      current = undefined;
      throw bridge.wasTokenRejected() ? createTokenRejectedError() : toSharedError("unavailable", "bridge_lost", {});
    },
  });
  const end = () => connection[Symbol.asyncDispose]();
  return {
    getBridge: () => current,
    async handOver() {
      const bridge = current;
      if (bridge) handedOver.add(handoverKey(), bridge.release());
      await bridge?.ended;
      await end();
    },
    [Symbol.asyncDispose]: end,
  };
}

function dialBridge({ timing, getToken }: ForwardConnectionOptions, uri: string): WebSocket {
  const secret = getToken();
  return new WebSocket(uri, {
    handshakeTimeout: timing.handshakeMs,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
    ...(secret !== undefined && { headers: { authorization: `Bearer ${secret}` } }),
  });
}

/** Connects and identifies the account; throws when either takes too long. */
async function identify(options: ForwardConnectionOptions, socket: WebSocket, signal: AbortSignal): Promise<Bridge> {
  const { timing, io, onEvent, onAccount } = options;
  const abandon = () => socket.terminate();
  signal.addEventListener("abort", abandon, { once: true });
  // The bridge is read at once, because it sends as soon as it is connected.
  const bridge = createBridge({ socket, timing, log: io.log, onEvent });
  void bridge.ended.then(() => signal.removeEventListener("abort", abandon));
  if (socket.readyState !== WebSocket.OPEN) await waitUntilOpen(socket);
  const late = setTimeout(abandon, timing.identifyMs);
  try {
    const info = await bridge.call("get_login_info", {});
    onAccount(isObject(info) ? toIdText(info.user_id) : "");
  } catch (error) {
    socket.terminate();
    await bridge.ended;
    if (bridge.wasTokenRejected()) throw createTokenRejectedError();
    throw error;
  } finally {
    clearTimeout(late);
  }
  return bridge;
}

const createTokenRejectedError = () => withRetryAfter(imaTexts.error("upstream_failed", "refused_token"));

/** Delays the next attempt to connect, because an early one would fail too. */
function withRetryAfter(failure: AppError): AppError & { readonly retryAfterMs: number } {
  return Object.assign(failure, { retryAfterMs: REJECTED_RETRY_MS });
}

async function waitUntilOpen(socket: WebSocket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const rejectWithStatus = (_request: unknown, { statusCode }: { readonly statusCode?: number }) => {
    reject(
      statusCode === 401 || statusCode === 403
        ? withRetryAfter(imaTexts.error("upstream_failed", "refused_with", { status: statusCode }))
        : imaTexts.error("upstream_failed", "answered", { status: statusCode ?? 0 }),
    );
    socket.terminate();
  };
  socket.once("open", resolve);
  socket.once("unexpected-response", rejectWithStatus);
  socket.once("error", ({ code, message }: NodeJS.ErrnoException) =>
    reject(
      CLOSED_ERRORS.has(code ?? message)
        ? imaTexts.error("upstream_failed", "closed")
        : imaTexts.error("upstream_failed", "unreachable", { code: code ?? message }),
    ),
  );
  socket.once("close", () => reject(imaTexts.error("upstream_failed", "closed")));
  await promise;
}

/** Rejects link-local addresses, at which clouds have services of their own; other private addresses are allowed, because bridges run there. */
function checkAddress(uri: string): void {
  const host = URL.parse(uri)?.hostname ?? "";
  if (/^169\.254\.|^\[fe80:/i.test(host))
    throw withRetryAfter(imaTexts.error("bad_request", "refused_address", {}, { field: "ws_uri" }));
}
