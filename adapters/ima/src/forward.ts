import { setTimeout as wait } from "node:timers/promises";
import { problemOf } from "@parley/core";
import { WebSocket } from "ws";
import { type Bridge, createBridge, MAX_FRAME_BYTES } from "./bridge.ts";
import type { Connection, ConnectionParts } from "./connection.ts";
import { idOf, isObject } from "./frame.ts";

export interface ForwardParts extends ConnectionParts {
  /** Asked at each try; undefined: none is configured. */
  readonly address: () => string | undefined;
  /** Asked at each try; undefined: the bridge wants none. */
  readonly token: () => string | undefined;
  readonly random: () => number;
}

/** We dial the bridge, one socket at a time, again and again until it is stopped. */
export function createForwardConnection(parts: ForwardParts): Connection {
  const { timing, io, onEvent, onReturn, onAccount, address, token, random } = parts;
  const stopping = new AbortController();
  let generation = 0;
  let current: Bridge | undefined;

  /** Connects and learns who we are; throws when either takes too long. */
  const connect = async (uri: string): Promise<Bridge> => {
    const secret = token();
    const socket = new WebSocket(uri, {
      handshakeTimeout: timing.handshakeMs,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
      ...(secret !== undefined && { headers: { authorization: `Bearer ${secret}` } }),
    });
    const abandon = () => socket.terminate();
    stopping.signal.addEventListener("abort", abandon, { once: true });
    generation += 1;
    // Listens from the first moment: a bridge talks as soon as it is connected.
    const bridge = createBridge({ socket, generation, timing, log: io.log, onEvent });
    void bridge.ended.then(() => stopping.signal.removeEventListener("abort", abandon));
    await opened(socket);
    const late = setTimeout(() => socket.terminate(), timing.identifyMs);
    try {
      const info = await bridge.call("get_login_info", {});
      onAccount(isObject(info) ? idOf(info.user_id) : "");
    } catch (error) {
      socket.terminate();
      await bridge.ended;
      if (bridge.wasRefused()) throw new RefusedError("the bridge refuses the access token");
      throw error;
    } finally {
      clearTimeout(late);
    }
    return bridge;
  };
  const run = async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      let pause = 0;
      try {
        const uri = address();
        if (uri === undefined) throw new RefusedError("no address: set ws_uri or the variable IMA_WS_URI");
        checkAddress(uri);
        const bridge = await connect(uri);
        const since = performance.now();
        current = bridge;
        io.report({ connected: true });
        onReturn(bridge).catch((error: unknown) => io.log.warn("what was said meanwhile is not known", { error }));
        await bridge.ended;
        current = undefined;
        if (bridge.wasRefused()) throw new RefusedError("the bridge refuses the access token");
        if (performance.now() - since >= timing.healthyMs) failures = 0;
        io.report({ connected: false, ...problemOf("bridge_lost", {}) });
      } catch (error) {
        if (stopping.signal.aborted) return;
        io.report({ connected: false, error: (error as Error).message });
        if (error instanceof RefusedError) pause = timing.afterRefusalMs;
      }
      failures += 1;
      const bound = Math.min(timing.maxBackoffMs, timing.firstBackoffMs * 2 ** Math.min(failures - 1, 16));
      await wait(pause || random() * bound, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  io.report({ connected: false });
  const running = run();
  return {
    bridge: () => current,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
      await current?.ended;
    },
  };
}

/** Trying again soon would not help. */
class RefusedError extends Error {}

async function opened(socket: WebSocket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refused = (_request: unknown, { statusCode }: { readonly statusCode?: number }) => {
    reject(
      statusCode === 401 || statusCode === 403
        ? new RefusedError(`the bridge refuses the access token (${statusCode})`)
        : new Error(`the bridge answered ${statusCode}`),
    );
    socket.terminate();
  };
  socket.once("open", resolve);
  socket.once("unexpected-response", refused);
  socket.once("error", (error: NodeJS.ErrnoException) =>
    reject(new Error(`the bridge cannot be reached (${error.code ?? error.message})`)),
  );
  socket.once("close", () => reject(new Error("the bridge closed the connection")));
  await promise;
}

/** Private networks are where bridges live; link-local addresses, with the clouds' own services, are not. */
function checkAddress(uri: string): void {
  const host = URL.parse(uri)?.hostname ?? "";
  if (/^169\.254\.|^\[fe80:/i.test(host)) throw new RefusedError("ws_uri: this address may not be reached");
}
