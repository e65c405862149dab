import type { WebSocket } from "ws";

/** A set of plugins that does not go on with a socket after so long will not. */
const LEFT_FOR_MS = 30_000;

/** Sockets of bridges that a reload leaves open, by what their channel was configured as. */
export interface LeftSockets {
  /** Leaves a socket to the next link of the same channel; nothing of it is read meanwhile. */
  leave(key: string, socket: WebSocket): void;
  take(key: string): readonly WebSocket[];
  /** Called when plugins start: sockets left from now on are for the next start. */
  begin(): void;
  /** No set of plugins follows that goes on with them: ends all of them, and each that is still left. */
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
        // Whoever takes it listens first.
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
