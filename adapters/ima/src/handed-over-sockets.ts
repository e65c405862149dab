import type { WebSocket } from "ws";

/** Time after which a reloaded plugin is no longer expected to take its sockets over. */
const HANDOVER_MS = 30_000;

/** Bridge sockets left open during a reload, by the configuration of their channel. */
export interface HandedOverSockets {
  /** Hands a socket over to the next link of the same channel; it is not read until then, and closed after 30 s. */
  add(key: string, socket: WebSocket): void;
  take(key: string): readonly WebSocket[];
  /** Accepts sockets again after `end`; called when plugins start. */
  begin(): void;
  /** Closes all sockets, including those handed over later, because no plugin will take them over. */
  end(): void;
}

export function createHandedOverSockets(): HandedOverSockets {
  const handedOver = new Map<WebSocket, { readonly key: string; readonly timer: NodeJS.Timeout }>();
  let isEnded = false;
  const forget = (socket: WebSocket) => {
    clearTimeout(handedOver.get(socket)?.timer);
    handedOver.delete(socket);
  };
  return {
    add(key, socket) {
      if (isEnded) return socket.terminate();
      socket.pause();
      handedOver.set(socket, { key, timer: setTimeout(() => socket.terminate(), HANDOVER_MS) });
      socket.once("close", () => forget(socket));
    },
    take(key) {
      const found = [...handedOver].filter(([, one]) => one.key === key).map(([socket]) => socket);
      for (const socket of found) {
        forget(socket);
        // The new owner adds its listeners first.
        setImmediate(() => socket.resume());
      }
      return found;
    },
    begin() {
      isEnded = false;
    },
    end() {
      isEnded = true;
      for (const socket of handedOver.keys()) socket.terminate();
    },
  };
}
