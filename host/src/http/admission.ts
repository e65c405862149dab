import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that run at the same time: more only come from clients that do not wait for answers. */
const RUNNING_EACH = 1;
const WAITING_EACH = 16;
/** Requests of strangers that begin in one turn of the event loop, so that others come between them. */
const STRANGERS_A_TURN = 16;
const WAITING_STRANGERS = 1_000;

export interface Admission {
  /** Calls `begin` when it is this request's turn, or `refuse` when too many wait; neither when the client goes before. */
  take(request: IncomingMessage, response: ServerResponse, begin: () => void, refuse: () => void): void;
  /** Whether the last request of this connection had a credential that holds. */
  know(socket: Socket, isKnown: boolean): void;
  /** Resolves when nothing runs and nothing waits. */
  quiet(): Promise<void>;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
  /** Nothing more of this connection is taken. */
  isOver: boolean;
  isStranger: boolean;
}

/** Lets requests in one after the other: what many ask at once must not keep those who have signed in waiting. */
export function createAdmission(): Admission {
  const lines = new WeakMap<Socket, Line>();
  const strangers: (() => void)[] = [];
  let admitted = 0;
  let whenQuiet: (() => void) | undefined;
  const leave = (count: number) => {
    admitted -= count;
    if (admitted === 0) whenQuiet?.();
  };
  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket);
    if (known) return known;
    const line: Line = { running: 0, waiting: [], isOver: false, isStranger: false };
    lines.set(socket, line);
    socket.once("close", () => {
      line.isOver = true;
      leave(line.running + line.waiting.length);
      line.running = 0;
      line.waiting.length = 0;
    });
    return line;
  };
  const letStrangersIn = () => {
    for (const begin of strangers.splice(0, STRANGERS_A_TURN)) begin();
    if (strangers.length > 0) setImmediate(letStrangersIn);
  };
  const queueStranger = (begin: () => void, refuse: () => void) => {
    if (strangers.length >= WAITING_STRANGERS) return refuse();
    if (strangers.push(begin) === 1) setImmediate(letStrangersIn);
  };

  return {
    know(socket, isKnown) {
      lineOf(socket).isStranger = !isKnown;
    },
    take(request, response, begin, refuse) {
      const { socket } = request;
      const line = lineOf(socket);
      if (line.isOver || socket.destroyed) return;
      admitted += 1;
      const start = () => {
        line.running += 1;
        response.once("close", () => {
          if (socket.destroyed) return;
          line.running -= 1;
          leave(1);
          line.waiting.shift()?.();
        });
        if (hasCredential(request) && !line.isStranger) begin();
        else queueStranger(() => socket.destroyed || begin(), refuse);
      };
      if (line.running < RUNNING_EACH) return start();
      line.waiting.push(start);
      if (line.waiting.length < WAITING_EACH) return;
      // The last that is answered: what the client has sent beyond it, it sends again elsewhere.
      line.isOver = true;
      response.shouldKeepAlive = false;
      socket.pause();
    },
    quiet: () =>
      new Promise((resolve) => {
        whenQuiet = resolve;
        if (admitted === 0) resolve();
      }),
  };
}

/** Whether somebody says who they are; whether it is true is found out later. */
function hasCredential({ headers }: IncomingMessage): boolean {
  return headers.authorization !== undefined || (headers.cookie?.includes("svc_auth_token=") ?? false);
}
