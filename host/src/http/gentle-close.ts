import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

const LINGER_MS = 2_000;

/**
 * Has a connection closed only when its client has stopped sending: closed while bytes come, a reset would overtake the answer
 * on its way. Who does not stop is cut off after two seconds. `last`: the request that was answered last.
 */
export function closeGently(socket: Socket, last: () => IncomingMessage | undefined): void {
  const atOnce = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (last()?.complete ?? true) return atOnce();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
    socket.end();
  };
}
