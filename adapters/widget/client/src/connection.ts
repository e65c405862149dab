import { PROTOCOL_VERSION, type ServerFrame } from "../../src/sockets/protocol.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const PING_INTERVAL_MS = 25_000;
const PONG_TIMEOUT_MS = 10_000;
const STABLE_AFTER_MS = 10_000;
const UNAUTHORIZED = 4401;
/** Close codes after which a new connection would be closed as well. */
const FINAL_CODES = [4400, 4403];

export interface ConnectionOptions {
  readonly url: string;
  readonly language: string;
  getVisitor(): string | undefined;
  /** Called when the service does not know the visitor any more. */
  onForgotten(): void;
  onFrame(frame: ServerFrame): void;
  /** Called with `closed` when it will not reconnect. */
  onState(state: "connecting" | "open" | "closed"): void;
}

/** A connection that is opened again, each time later, whenever it ends. */
export interface Connection {
  open(): void;
  /** Sends a frame; false when it is not connected. */
  send(frame: object): boolean;
  /** Asks for the conversation again, with new links to files. */
  refresh(): void;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { url, getVisitor, onForgotten, onFrame, onState } = options;
  let socket: WebSocket | undefined;
  let isGreeted = false;
  let isWanted = false;
  let tries = 0;
  let retry: number | undefined;
  let pongTimer: number | undefined;
  const send = (frame: object) => {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(frame));
    return true;
  };
  const greet = () =>
    send({ type: "hello", version: PROTOCOL_VERSION, language: options.language, ...toVisitor(getVisitor()) });
  const ping = () => {
    if (!isGreeted || pongTimer !== undefined || !send({ type: "ping" })) return;
    const asked = socket;
    pongTimer = window.setTimeout(() => asked?.close(), PONG_TIMEOUT_MS);
  };
  const onMessage = ({ data }: MessageEvent) => {
    window.clearTimeout(pongTimer);
    pongTimer = undefined;
    const frame = JSON.parse(String(data)) as ServerFrame;
    if (frame.type === "welcome") {
      isGreeted = true;
      onState("open");
    }
    onFrame(frame);
  };
  const onClose = (code: number, openedAt: number) => {
    socket = undefined;
    isGreeted = false;
    window.clearTimeout(pongTimer);
    pongTimer = undefined;
    if (FINAL_CODES.includes(code)) {
      isWanted = false;
      return onState("closed");
    }
    if (code === UNAUTHORIZED) onForgotten();
    if (Date.now() - openedAt > STABLE_AFTER_MS) tries = 0;
    onState("connecting");
    // Random below a growing bound, so that pages that were disconnected together do not reconnect together.
    const bound = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
    tries = Math.min(tries + 1, 10);
    window.clearTimeout(retry);
    retry = window.setTimeout(dial, Math.random() * bound);
  };
  const dial = () => {
    if (socket) return;
    window.clearTimeout(retry);
    onState("connecting");
    const dialled = new WebSocket(url);
    let openedAt = Number.POSITIVE_INFINITY;
    socket = dialled;
    dialled.addEventListener("open", () => {
      openedAt = Date.now();
      greet();
    });
    dialled.addEventListener("message", onMessage);
    dialled.addEventListener("close", ({ code }) => onClose(code, openedAt));
  };
  const wake = () => {
    if (!isWanted || document.visibilityState === "hidden") return;
    if (socket) ping();
    else dial();
  };
  window.addEventListener("online", wake);
  document.addEventListener("visibilitychange", wake);
  window.setInterval(ping, PING_INTERVAL_MS);
  return {
    open() {
      isWanted = true;
      dial();
    },
    send: (frame) => isGreeted && send(frame),
    refresh: () => void greet(),
  };
}

function toVisitor(visitor: string | undefined) {
  return visitor === undefined ? {} : { visitor };
}
