import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

const FIRST_FRAME_TIMEOUT_MS = 5_000;
const MAX_BYTES = 4 * 1024;

/**
 * Allows an unauthenticated client one small frame within 5 s; calls `onRejected` when it sends more or nothing.
 * Later data is read only after `letIn`.
 */
export function awaitFirstFrame(
  socket: WebSocket,
  stream: Duplex,
  onRejected: () => void,
): { readonly letIn: () => void } {
  let bytes = 0;
  let hasSentFrame = false;
  const countBytes = (chunk: Buffer) => {
    bytes += chunk.length;
    // The library has read the chunk already, so data behind the frame in it does not count.
    if (!hasSentFrame && bytes > MAX_BYTES) onRejected();
  };
  const timer = setTimeout(onRejected, FIRST_FRAME_TIMEOUT_MS);
  stream.on("data", countBytes);
  socket.once("message", () => {
    hasSentFrame = true;
    stream.off("data", countBytes);
    socket.pause();
  });
  socket.once("close", () => clearTimeout(timer));
  return {
    letIn() {
      clearTimeout(timer);
      socket.resume();
    },
  };
}
