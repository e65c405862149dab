import type { InboundMessage, Logger } from "@parley/core";
import type { ItemWork } from "./item-work.ts";
import type { RunningTurns } from "./running-turns.ts";
import type { StoredMessage, WaitingItem } from "./store/inbox.ts";
import type { GatewayStore } from "./store.ts";
import { isChange, type TurnQueue } from "./turn-queue.ts";

/** Edits and recalls reach the message they concern before its turn, and not in their place in the queue. */
export interface WaitingChanges {
  /**
   * Queues an edit or a recall before what waits in its session, and changes the message it concerns at once: one that waits
   * gets its new text or no turn, one that is being answered is stopped when it was withdrawn.
   */
  add(item: WaitingItem, message: InboundMessage): void;
  /** A message of the session is being changed: none of its turns begins. */
  isChanging(sessionId: string): boolean;
  /** True when nothing is being changed. */
  isQuiet(): boolean;
}

export interface WaitingChangesParts {
  readonly store: Pick<GatewayStore, "waitingOf" | "changeWaiting">;
  readonly work: Pick<ItemWork, "drop">;
  readonly queue: TurnQueue;
  readonly turns: Pick<RunningTurns, "withdraw">;
  readonly logger: Logger;
  /** Called when a session may go on. */
  readonly wake: () => void;
}

export function createWaitingChanges(parts: WaitingChangesParts): WaitingChanges {
  const { queue, turns, logger, wake } = parts;
  const changing = new Map<string, number>();
  const count = (sessionId: string, by: number) => {
    const left = (changing.get(sessionId) ?? 0) + by;
    if (left > 0) changing.set(sessionId, left);
    else changing.delete(sessionId);
  };
  const run = async ({ sessionId }: WaitingItem, message: InboundMessage) => {
    count(sessionId, 1);
    try {
      await Promise.all([
        message.kind === "recall" && turns.withdraw(sessionId, message.platformMessageId ?? ""),
        changeWaiting(parts, sessionId, message),
      ]);
    } catch (error) {
      logger.error("a message that waits could not be changed", { error });
    } finally {
      count(sessionId, -1);
      wake();
    }
  };
  return {
    add(item, message) {
      const waits = queue.ofSession(item.sessionId) > 0;
      queue.addChange(item);
      if (waits) void run(item, message);
      else if (message.kind === "recall") void turns.withdraw(item.sessionId, message.platformMessageId ?? "");
    },
    isChanging: (sessionId) => changing.has(sessionId),
    isQuiet: () => changing.size === 0,
  };
}

async function changeWaiting(parts: WaitingChangesParts, sessionId: string, change: InboundMessage): Promise<void> {
  const isMeant = ({ message }: StoredMessage) =>
    !isChange(message) && message.platformMessageId === change.platformMessageId;
  for (const one of (await parts.store.waitingOf(sessionId)).filter(isMeant)) {
    await (change.kind === "recall" ? drop(parts, sessionId, one) : replace(parts, sessionId, one, change));
  }
}

async function drop({ queue, work }: WaitingChangesParts, sessionId: string, { traceId }: StoredMessage) {
  for (const item of queue.drop(sessionId, traceId)) await work.drop(item, "withdrawn while it waited");
}

async function replace(
  { store, queue }: WaitingChangesParts,
  sessionId: string,
  { id, traceId, message }: StoredMessage,
  { text, attachments, addressed }: InboundMessage,
) {
  await store.changeWaiting(id, { ...message, text, attachments, addressed: message.addressed || addressed });
  queue.forgetMessage(sessionId, traceId);
}
