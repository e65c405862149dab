import type { Duplex } from "node:stream";

export const WAIT_TIMEOUT_MS = 2_000;
/** Maximum count of waiting requests. Each uses only its system buffer; no body is read before it is admitted. */
const MAX_WAITING = 512;

interface WaitingRequest {
  readonly enter: () => void;
  readonly reject: () => void;
  readonly timer: NodeJS.Timeout;
}

/** Requests that arrive while the plugins are replaced. */
export interface RequestQueue {
  /** Calls `enter` once the queue opens, or `reject` after the timeout or when too many wait; neither when the client disconnects first. */
  wait(socket: Duplex, enter: () => void, reject: () => void): void;
  /** Lets the waiting requests enter, in order. */
  open(): void;
  /** Rejects the waiting requests. */
  close(): void;
}

export function createRequestQueue({
  withinMs: timeoutMs = WAIT_TIMEOUT_MS,
  most: maxWaiting = MAX_WAITING,
} = {}): RequestQueue {
  const waiting = new Set<WaitingRequest>();
  const drain = (leave: (request: WaitingRequest) => void) => {
    for (const visitor of [...waiting]) leave(visitor);
  };
  return {
    wait(socket, enter, reject) {
      if (waiting.size >= maxWaiting) return reject();
      const leave = () => {
        clearTimeout(visitor.timer);
        waiting.delete(visitor);
        socket.off("close", leave);
      };
      const leaveWith = (then: () => void) => () => {
        leave();
        then();
      };
      const visitor: WaitingRequest = {
        enter: leaveWith(enter),
        reject: leaveWith(reject),
        timer: setTimeout(() => visitor.reject(), timeoutMs),
      };
      waiting.add(visitor);
      socket.once("close", leave);
    },
    open: () => drain(({ enter }) => enter()),
    close: () => drain(({ reject }) => reject()),
  };
}
