import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

const LINGER_MS = 2_000;

/**
 * Closes a connection only after its client stopped sending; an earlier close would reset it and lose the response. A client that keeps
 * sending is cut off after two seconds. `lastRequest` returns the request that was answered last.
 */
export function closeGracefully(socket: Socket, lastRequest: () => IncomingMessage | undefined): void {
  const destroyNow = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (lastRequest()?.complete ?? true) return destroyNow();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
    socket.end();
  };
}
