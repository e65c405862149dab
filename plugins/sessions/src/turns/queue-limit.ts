import type { Gateway } from "@parley/core";
import { sessionsTexts } from "../texts.ts";

const MAX_QUEUED_MESSAGES = 8;

/** Runs `enter`, which submits `places` messages of the session; rejects with `rate_limited` when eight are waiting. */
export type QueueLimit = <T>(sessionId: string, enter: () => Promise<T>, messageCount?: number) => Promise<T>;

/** Creates the limit of waiting messages in each session. Concurrent messages count as soon as they are admitted. */
export function createQueueLimit(gateway: () => Pick<Gateway, "running" | "waiting">): QueueLimit {
  const pendingBySession = new Map<string, number>();
  return async (sessionId, accept, messageCount = 1) => {
    const queuedCount = gateway().waiting(sessionId);
    const pendingCount = pendingBySession.get(sessionId) ?? 0;
    // In an idle session the first message does not wait.
    const isIdle = queuedCount === 0 && !gateway().running(sessionId);
    if (queuedCount + pendingCount + messageCount > MAX_QUEUED_MESSAGES + (isIdle ? 1 : 0)) {
      throw sessionsTexts.error("rate_limited", "full", { most: MAX_QUEUED_MESSAGES }, { retryAfterS: 5 });
    }
    pendingBySession.set(sessionId, pendingCount + messageCount);
    try {
      return await accept();
    } finally {
      const remaining = (pendingBySession.get(sessionId) ?? messageCount) - messageCount;
      if (remaining > 0) pendingBySession.set(sessionId, remaining);
      else pendingBySession.delete(sessionId);
    }
  };
}
