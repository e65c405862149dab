import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

const LINGER_MS = 2_000;

/**
 * Has a connection closed only when its client has stopped sending: closed while bytes come, a reset would overtake the answer
 * on its way. Who does not stop is cut off after two seconds. `last`: the request that was answered last.
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
