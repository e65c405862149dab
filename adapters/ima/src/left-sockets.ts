import type { WebSocket } from "ws";

/** Time after which a reloaded plugin is no longer expected to take its sockets over. */
const LEFT_FOR_MS = 30_000;

/** Bridge sockets left open during a reload, by the configuration of their channel. */
export interface LeftSockets {
  /** Leaves a socket to the next link of the same channel; it is not read until then. */
  leave(key: string, socket: WebSocket): void;
  take(key: string): readonly WebSocket[];
  /** Called when plugins start: sockets left from now on are for the start after this one. */
  begin(): void;
  /** Closes all sockets, including those left later, because no plugin will take them over. */
  end(): void;
}

export function createLeftSockets(): LeftSockets {
  const left = new Map<WebSocket, { readonly key: string; readonly timer: NodeJS.Timeout }>();
  let isEnded = false;
  const forget = (socket: WebSocket) => {
    clearTimeout(left.get(socket)?.timer);
    left.delete(socket);
  };
  return {
    leave(key, socket) {
      if (isEnded) return socket.terminate();
      socket.pause();
      left.set(socket, { key, timer: setTimeout(() => socket.terminate(), LEFT_FOR_MS) });
      socket.once("close", () => forget(socket));
    },
    take(key) {
      const found = [...left].filter(([, one]) => one.key === key).map(([socket]) => socket);
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
      for (const socket of left.keys()) socket.terminate();
    },
  };
}
