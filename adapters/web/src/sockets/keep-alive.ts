import type { Clock, Logger } from "@parley/core";
import { CLOSE_CODES, type Connection } from "./connection.ts";
import { isExpired, type OpenSockets } from "./open-sockets.ts";

export const HEARTBEAT_MS = 25_000;
const PONG_TIMEOUT_MS = 10_000;
const RECHECK_INTERVAL_MS = 60_000;
const TICK_INTERVAL_MS = 1_000;

export interface KeepAlive {
  /** Begins the intervals of a new connection. */
  watch(connection: Connection): void;
  /** Returns a function that stops the checks of all connections. */
  start(): () => void;
}

export interface KeepAliveDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly getOpen: () => OpenSockets["open"] | undefined;
  /** Authenticates a connection's credential again, and closes the connection if it is no longer valid. */
  readonly renewCaller: (connection: Connection) => Promise<boolean>;
}

/** Pings connections, checks their credentials once a minute, and closes those that are silent, slow or expired. */
export function createKeepAlive({ clock, log, getOpen, renewCaller }: KeepAliveDeps): KeepAlive {
  const tick = () => {
    const now = clock.monotonic();
    for (const [connection, state] of getOpen() ?? []) {
      connection.checkBackpressure();
      closeIfExpired(connection, clock);
      if (now >= state.pongDue) {
        connection.close(CLOSE_CODES.noPong, "no pong");
        state.socket.terminate();
      } else if (now >= state.pingAt) {
        state.pingAt = now + HEARTBEAT_MS;
        state.pongDue = Math.min(state.pongDue, now + PONG_TIMEOUT_MS);
        state.socket.ping();
      }
      if (now >= state.recheckAt && connection.caller) {
        state.recheckAt = now + RECHECK_INTERVAL_MS;
        renewCaller(connection).catch((error) => log.error("a credential could not be checked", { error }));
      }
    }
  };
  return {
    watch(connection) {
      const state = getOpen()?.get(connection);
      if (!state) return;
      const now = clock.monotonic();
      Object.assign(state, { pingAt: now + HEARTBEAT_MS, pongDue: Infinity, recheckAt: now + RECHECK_INTERVAL_MS });
    },
    start() {
      const timer = setInterval(tick, TICK_INTERVAL_MS);
      return () => clearInterval(timer);
    },
  };
}

/** Closes a connection whose credential has expired, and returns true then. */
export function closeIfExpired(connection: Connection, clock: Clock): boolean {
  const hasEnded = connection.caller !== undefined && isExpired(connection.caller, clock);
  if (hasEnded) connection.close(CLOSE_CODES.unauthorized, "sign in again");
  return hasEnded;
}
