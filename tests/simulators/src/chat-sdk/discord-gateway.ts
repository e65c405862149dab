import type { WebSocket } from "ws";
import type { Announcement } from "../platform-server.ts";
import type { SimulatorSockets } from "../simulator-sockets.ts";

const HEARTBEAT_MS = 1_000;
const [DISPATCH, HEARTBEAT, IDENTIFY, RESUME, INVALID_SESSION, HELLO, HEARTBEAT_ACK] = [0, 1, 2, 6, 9, 10, 11];
const WRONG_TOKEN = 4_004;

interface GatewayEvent {
  readonly op: number;
  readonly s: number;
  readonly t: string;
  readonly d: object;
}

interface ClientFrame {
  readonly op: number;
  readonly d?: { readonly token?: string; readonly session_id?: string; readonly seq?: number };
}

/** Connections of clients since the start. */
export interface GatewayCounts {
  readonly open: number;
  readonly identified: number;
  readonly resumed: number;
}

/** The gateway of a Discord that tests play: it checks the token, numbers its events and repeats them to who resumes. */
export interface DiscordGateway {
  /** Greets a client that has connected. */
  connected(socket: WebSocket): void;
  /** Answers a frame of a client. */
  receive(socket: WebSocket, text: Buffer): void;
  /** Returns the delivery of an event to all clients, or to those that resume later. */
  createAnnouncement(type: string, data: object): Announcement;
  /** Ends every connection: with a close code, or by a reset. */
  drop(code?: number): void;
  /** Forgets the session, so that the next client cannot resume it. */
  forgetSession(): void;
  counts(): GatewayCounts;
  /** Connections that get events. */
  readonly ready: ReadonlySet<WebSocket>;
}

export interface DiscordGatewayOptions {
  readonly token: string;
  readonly user: object;
  readonly sockets: () => SimulatorSockets & { readonly authority: string; changed(): void };
}

export function createDiscordGateway({ token, user, sockets }: DiscordGatewayOptions): DiscordGateway {
  const events: GatewayEvent[] = [];
  const ready = new Set<WebSocket>();
  let [identified, resumed, sessions] = [0, 0, 1];
  const send = (socket: WebSocket, frame: object) => sockets().send(socket, JSON.stringify(frame));
  const getSessionId = () => `session-${sessions}`;
  const identify = (socket: WebSocket) => {
    identified += 1;
    const resume_gateway_url = `ws://${sockets().authority}/gateway`;
    send(socket, {
      op: DISPATCH,
      s: events.length,
      t: "READY",
      d: { session_id: getSessionId(), resume_gateway_url, user },
    });
    ready.add(socket);
    sockets().changed();
  };
  const resume = (socket: WebSocket, { session_id, seq = 0 }: NonNullable<ClientFrame["d"]>) => {
    if (session_id !== getSessionId()) return void send(socket, { op: INVALID_SESSION, d: false });
    resumed += 1;
    ready.add(socket);
    for (const event of events) if (event.s > seq) send(socket, event);
    send(socket, { op: DISPATCH, s: events.length, t: "RESUMED", d: {} });
    sockets().changed();
  };
  const deliver = (type: string, data: object) => {
    const event = { op: DISPATCH, s: events.length + 1, t: type, d: data };
    events.push(event);
    for (const socket of ready) send(socket, event);
  };
  return {
    ready,
    connected(socket) {
      sockets().adopt(socket);
      socket.on("close", () => ready.delete(socket));
      send(socket, { op: HELLO, d: { heartbeat_interval: HEARTBEAT_MS } });
    },
    receive(socket, text) {
      const { op, d = {} }: ClientFrame = JSON.parse(text.toString("utf8"));
      if (op === HEARTBEAT) send(socket, { op: HEARTBEAT_ACK });
      if (op !== IDENTIFY && op !== RESUME) return;
      if (d.token !== token) return socket.close(WRONG_TOKEN);
      op === IDENTIFY ? identify(socket) : resume(socket, d);
    },
    createAnnouncement: (type, data) => ({
      deliver: () => deliver(type, data),
      // The event is sent again to a client that resumes.
      halfOpen() {
        for (const socket of ready) sockets().silence(socket);
        deliver(type, data);
      },
    }),
    drop(code) {
      for (const socket of ready) code === undefined ? socket.terminate() : socket.close(code);
      ready.clear();
    },
    forgetSession() {
      sessions += 1;
    },
    counts: () => ({ open: ready.size, identified, resumed }),
  };
}
