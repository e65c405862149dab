import type { Duplex } from "node:stream";

export const WAIT_WITHIN_MS = 2_000;
/** Of each that waits at most what the system has buffered is in memory: nothing of a body is read before it enters. */
const MOST_WAITING = 512;

interface Visitor {
  readonly enter: () => void;
  readonly refuse: () => void;
  readonly timer: NodeJS.Timeout;
}

/** Requests that came in while the plugins are replaced. */
export interface WaitingRoom {
  /** Calls `enter` once it is open again, or `refuse` after a time or where too many wait; neither when the client goes before. */
  wait(socket: Duplex, enter: () => void, refuse: () => void): void;
  /** Lets those in that wait, in the order they came. */
  open(): void;
  /** Refuses those that wait. */
  close(): void;
}

export function createWaitingRoom({ withinMs = WAIT_WITHIN_MS, most = MOST_WAITING } = {}): WaitingRoom {
  const visitors = new Set<Visitor>();
  const empty = (leave: (visitor: Visitor) => void) => {
    for (const visitor of [...visitors]) leave(visitor);
  };
  return {
    wait(socket, enter, refuse) {
      if (visitors.size >= most) return refuse();
      const leave = () => {
        clearTimeout(visitor.timer);
        visitors.delete(visitor);
        socket.off("close", leave);
      };
      const leaveWith = (then: () => void) => () => {
        leave();
        then();
      };
      const visitor: Visitor = {
        enter: leaveWith(enter),
        refuse: leaveWith(refuse),
        timer: setTimeout(() => visitor.refuse(), withinMs),
      };
      visitors.add(visitor);
      socket.once("close", leave);
    },
    open: () => empty(({ enter }) => enter()),
    close: () => empty(({ refuse }) => refuse()),
  };
}
