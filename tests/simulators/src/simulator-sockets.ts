import { WebSocket } from "ws";

/** Sockets of a simulator, whichever side opened them. */
export interface SimulatorSockets {
  /** Open sockets. */
  readonly sockets: ReadonlySet<WebSocket>;
  /** Serves a socket. */
  adopt(socket: WebSocket): void;
  /** Makes a socket silent: nothing is sent and incoming data is not read. */
  silence(socket: WebSocket): void;
  /** Sends a frame; returns false when the socket is silent or closed and nothing was sent. */
  send(socket: WebSocket, frame: string | Buffer): boolean;
  connections(): { readonly open: number; readonly ever: number };
}

export interface SimulatorSocketsDeps {
  readonly onFrame: (socket: WebSocket, frame: Buffer) => void;
  readonly changed: () => void;
}

export function createSimulatorSockets({ onFrame, changed }: SimulatorSocketsDeps): SimulatorSockets {
  const sockets = new Set<WebSocket>();
  const silent = new WeakSet<WebSocket>();
  let ever = 0;
  return {
    sockets,
    adopt(socket) {
      ever += 1;
      sockets.add(socket);
      socket.on("close", () => {
        sockets.delete(socket);
        changed();
      });
      // A client that waits with `once` receives the error as well.
      socket.on("error", changed);
      socket.on("ping", (bytes) => void (silent.has(socket) || socket.pong(bytes)));
      socket.on("message", (frame: Buffer) => void (silent.has(socket) || onFrame(socket, frame)));
      changed();
    },
    silence: (socket) => void silent.add(socket),
    send(socket, frame) {
      if (silent.has(socket) || socket.readyState !== WebSocket.OPEN) return false;
      socket.send(frame);
      return true;
    },
    connections: () => ({ open: sockets.size, ever }),
  };
}
