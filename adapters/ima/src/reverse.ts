import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { refuseUpgrade, type SocketDoor } from "@parley/core";
import { type WebSocket, WebSocketServer } from "ws";
import { type Bridge, CLOSE, createBridge, MAX_FRAME_BYTES } from "./bridge.ts";
import type { Connection, ConnectionParts } from "./connection.ts";

const PATH = "/ws/imA";

export interface ReverseParts extends ConnectionParts {
  readonly channelId: string;
  /** Asked at each upgrade. `named` and no value refuses everybody. */
  readonly token: () => { readonly isNamed: boolean; readonly value: string | undefined };
  /** The account that may connect; "" while it is not known. */
  readonly selfId: () => string;
}

/** Where bridges that dial us are let in; one for the whole service. */
export interface ReverseDoor extends SocketDoor {
  open(parts: ReverseParts): Connection;
}

export function createReverseDoor(): ReverseDoor {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
  const endpoints = new Map<string, { readonly parts: ReverseParts; take(socket: WebSocket): void }>();
  const take: SocketDoor["take"] = (request, stream, head) => {
    const path = URL.parse(request.url ?? "", "http://x")?.pathname ?? "";
    const endpoint = endpoints.get(path === PATH ? "imA" : path.slice(PATH.length + 1));
    const status = endpoint ? refusalOf(request, endpoint.parts) : 404;
    if (!endpoint || status !== undefined) return refuseUpgrade(stream, `${status} Refused`);
    sockets.handleUpgrade(request, stream, head, (socket) => endpoint.take(socket));
  };
  return {
    path: PATH,
    includesBelow: true,
    take,
    open: (parts) => openEndpoint(parts, endpoints),
  };
}

function openEndpoint(
  parts: ReverseParts,
  endpoints: Map<string, { readonly parts: ReverseParts; take(socket: WebSocket): void }>,
): Connection {
  const { channelId, timing, io, onEvent, onReturn } = parts;
  const all = new Set<Bridge>();
  let current: Bridge | undefined;
  let generation = 0;
  let isClosed = false;
  const take = (socket: WebSocket) => {
    generation += 1;
    // A newcomer takes over once it has shown that it talks: an event, or an answer.
    const show = () => {
      if (current === bridge || isClosed) return;
      const old = current;
      current = bridge;
      old?.close(CLOSE.replaced);
      io.report({ connected: true });
      onReturn(bridge).catch((error: unknown) => io.log.warn("what was said meanwhile is not known", { error }));
    };
    const bridge: Bridge = createBridge({
      socket,
      generation,
      timing,
      log: io.log,
      async onEvent(event) {
        show();
        if (current === bridge) await onEvent(event);
      },
    });
    all.add(bridge);
    void bridge.ended.then(() => {
      all.delete(bridge);
      if (current !== bridge) return;
      current = undefined;
      if (!isClosed) io.report({ connected: false, error: "the bridge is not connected" });
    });
    bridge
      .call("get_status", {})
      .then(show, (error: unknown) => io.log.debug("a bridge does not say how it is", { error }));
  };
  endpoints.set(channelId, { parts, take });
  io.report({ connected: false, error: "the bridge is not connected" });
  return {
    bridge: () => current,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      if (endpoints.get(channelId)?.parts === parts) endpoints.delete(channelId);
      for (const bridge of all) bridge.terminate();
      await Promise.all([...all].map(({ ended }) => ended));
    },
  };
}

/** The status an upgrade is refused with; undefined when it may come in. */
function refusalOf({ headers }: IncomingMessage, { token, selfId }: ReverseParts): number | undefined {
  // A page in a browser is not a bridge.
  if (headers.origin !== undefined) return 403;
  const { isNamed, value } = token();
  if (isNamed) {
    const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
    const digest = (text: string) => createHash("sha256").update(text).digest();
    if (!value || !timingSafeEqual(digest(given), digest(value))) return 401;
  }
  const account = headers["x-self-id"];
  return selfId() !== "" && typeof account === "string" && account !== selfId() ? 403 : undefined;
}
