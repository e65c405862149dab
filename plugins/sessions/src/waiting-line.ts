import type { Gateway } from "@parley/core";
import { sessionFailure } from "./said-failures.ts";

const MAX_WAITING = 8;

/** Runs `enter`, which puts a message of the session into the gateway, or as many as it has `places`; `rate_limited` where eight wait already. */
export type WaitingLine = <T>(sessionId: string, enter: () => Promise<T>, places?: number) => Promise<T>;

/** The messages that wait in each session. Of many that come at once each counts as soon as it is let in. */
export function createWaitingLine(gateway: () => Pick<Gateway, "running" | "waiting">): WaitingLine {
  const entering = new Map<string, number>();
  return async (sessionId, enter, places = 1) => {
    const waiting = gateway().waiting(sessionId);
    const enters = entering.get(sessionId) ?? 0;
    // Where nothing runs and nothing waits the first of them does not wait.
    const isIdle = waiting === 0 && !gateway().running(sessionId);
    if (waiting + enters + places > MAX_WAITING + (isIdle ? 1 : 0)) {
      throw sessionFailure("rate_limited", "full", { most: MAX_WAITING }, { retryAfterS: 5 });
    }
    entering.set(sessionId, enters + places);
    try {
      return await enter();
    } finally {
      const left = (entering.get(sessionId) ?? places) - places;
      if (left > 0) entering.set(sessionId, left);
      else entering.delete(sessionId);
    }
  };
}
