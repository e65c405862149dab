import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Maximum count of parallel requests of one connection; only clients that do not wait for responses send more. */
const MAX_RUNNING_PER_CONNECTION = 1;
const MAX_WAITING_PER_CONNECTION = 16;
/** Maximum count of anonymous requests started in one turn of the event loop, so that others get through. */
const ANONYMOUS_PER_TURN = 16;
const MAX_WAITING_ANONYMOUS = 1_000;

export interface Admission {
  /** Calls `begin` at the request's turn, or `reject` when too many wait; neither when the client disconnects first. */
  admit(request: IncomingMessage, response: ServerResponse, begin: () => void, reject: () => void): void;
  /** Marks whether the last request of this connection had a valid credential. */
  setAuthenticated(socket: Socket, isKnown: boolean): void;
  /** Resolves when no request runs or waits. */
  whenIdle(): Promise<void>;
}

interface ConnectionState {
  running: number;
  readonly waiting: (() => void)[];
  /** True when no more requests of this connection are accepted. */
  isClosed: boolean;
  isAnonymous: boolean;
}

/** Admits requests one after another, so that a flood of anonymous ones does not delay authenticated ones. */
export function createAdmission(): Admission {
  const connections = new WeakMap<Socket, ConnectionState>();
  const anonymousQueue: (() => void)[] = [];
  let admitted = 0;
  let onIdle: (() => void) | undefined;
  const leave = (count: number) => {
    admitted -= count;
    if (admitted === 0) onIdle?.();
  };
  const getConnection = (socket: Socket): ConnectionState => {
    const known = connections.get(socket);
    if (known) return known;
    const connection: ConnectionState = { running: 0, waiting: [], isClosed: false, isAnonymous: false };
    connections.set(socket, connection);
    socket.once("close", () => {
      connection.isClosed = true;
      leave(connection.running + connection.waiting.length);
      connection.running = 0;
      connection.waiting.length = 0;
    });
    return connection;
  };
  const admitAnonymous = () => {
    for (const begin of anonymousQueue.splice(0, ANONYMOUS_PER_TURN)) begin();
    if (anonymousQueue.length > 0) setImmediate(admitAnonymous);
  };
  const queueAnonymous = (begin: () => void, reject: () => void) => {
    if (anonymousQueue.length >= MAX_WAITING_ANONYMOUS) return reject();
    if (anonymousQueue.push(begin) === 1) setImmediate(admitAnonymous);
  };

  return {
    setAuthenticated(socket, isKnown) {
      getConnection(socket).isAnonymous = !isKnown;
    },
    admit(request, response, begin, reject) {
      const { socket } = request;
      const connection = getConnection(socket);
      if (connection.isClosed || socket.destroyed) return;
      admitted += 1;
      const start = () => {
        connection.running += 1;
        response.once("close", () => {
          if (socket.destroyed) return;
          connection.running -= 1;
          leave(1);
          connection.waiting.shift()?.();
        });
        if (hasCredential(request) && !connection.isAnonymous) begin();
        else queueAnonymous(() => socket.destroyed || begin(), reject);
      };
      if (connection.running < MAX_RUNNING_PER_CONNECTION) return start();
      connection.waiting.push(start);
      if (connection.waiting.length < MAX_WAITING_PER_CONNECTION) return;
      // This was the last answered request; the client repeats later ones on another connection.
      connection.isClosed = true;
      response.shouldKeepAlive = false;
      socket.pause();
    },
    whenIdle: () =>
      new Promise((resolve) => {
        onIdle = resolve;
        if (admitted === 0) resolve();
      }),
  };
}

/** Returns true when the request carries a credential, which is validated later. */
function hasCredential({ headers }: IncomingMessage): boolean {
  return headers.authorization !== undefined || (headers.cookie?.includes("svc_auth_token=") ?? false);
}
