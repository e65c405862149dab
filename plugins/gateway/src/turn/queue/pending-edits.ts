import type { Clock, InboundMessage, Logger } from "@parley/core";
import type { GatewayStore } from "../../store/gateway-store.ts";
import type { QueueItem, WaitingMessage } from "../../store/inbox.ts";
import { gatewayTexts } from "../../texts.ts";
import type { MessageProcessor } from "../message-processor.ts";
import type { RunningTurns } from "../running-turns.ts";
import { isEditOrRecall, type TurnQueue } from "./turn-queue.ts";

/** Applies edits and deletions to messages that wait for their turn, ahead of their place in the queue. */
export interface PendingEdits {
  /**
   * Queues an edit or deletion before other messages of its session, and applies it to its message at once: a waiting
   * message gets the new text or no turn, and a running turn is stopped when its message was deleted.
   */
  add(item: QueueItem, message: InboundMessage): void;
  /** Returns true when an edit or deletion of the message arrived before the message itself, as on some platforms. */
  hasEarlier(message: InboundMessage): boolean;
  /** Applies the edit or deletion that arrived before this message, which was just queued. */
  applyEarlier(item: QueueItem, message: InboundMessage): void;
  /** True while a message of the session is being changed; none of its turns starts then. */
  isEditing(sessionId: string): boolean;
  /** True when no message is being changed. */
  isIdle(): boolean;
}

/** Maximum time by which a message may arrive after its edit or deletion. */
const EARLY_MS = 60_000;
const MAX_EARLY = 1_000;

export interface PendingEditsDeps {
  readonly store: Pick<GatewayStore, "listWaiting" | "updateWaiting">;
  readonly processor: Pick<MessageProcessor, "drop">;
  readonly queue: TurnQueue;
  readonly turns: Pick<RunningTurns, "abortRecalled">;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Called when a blocked session may continue. */
  readonly wake: () => void;
}

export function createPendingEdits(deps: PendingEditsDeps): PendingEdits {
  const { queue, turns, logger, wake } = deps;
  const editing = new Map<string, number>();
  const count = (sessionId: string, by: number) => {
    const left = (editing.get(sessionId) ?? 0) + by;
    if (left > 0) editing.set(sessionId, left);
    else editing.delete(sessionId);
  };
  const run = async ({ sessionId }: QueueItem, message: InboundMessage) => {
    count(sessionId, 1);
    try {
      await Promise.all([
        message.kind === "recall" && turns.abortRecalled(sessionId, message.platformMessageId ?? ""),
        applyEdit(deps, sessionId, message),
      ]);
    } catch (error) {
      logger.error("a waiting message could not be changed", { error });
    } finally {
      count(sessionId, -1);
      wake();
    }
  };
  const early = createEarlyEdits(deps.clock);
  return {
    hasEarlier: (message) => early.find(message) !== undefined,
    applyEarlier(item, message) {
      const change = early.find(message);
      if (change) void run(item, change);
    },
    add(item, message) {
      early.add(message);
      const waits = queue.ofSession(item.sessionId) > 0;
      queue.addFirst(item);
      if (waits) void run(item, message);
      else if (message.kind === "recall") void turns.abortRecalled(item.sessionId, message.platformMessageId ?? "");
    },
    isEditing: (sessionId) => editing.has(sessionId),
    isIdle: () => editing.size === 0,
  };
}

/** Remembers the latest edit or deletion of each message, because the message may arrive after it. */
function createEarlyEdits(clock: Clock) {
  const changes = new Map<string, { readonly change: InboundMessage; readonly untilMs: number }>();
  const toKey = ({ sessionId, platformMessageId = "" }: InboundMessage) =>
    JSON.stringify([sessionId, platformMessageId]);
  return {
    add(change: InboundMessage) {
      const key = toKey(change);
      // An edit after a deletion is ignored.
      if (changes.get(key)?.change.kind === "recall") return;
      changes.delete(key);
      changes.set(key, { change, untilMs: clock.monotonic() + EARLY_MS });
      const [oldest] = changes.keys();
      if (changes.size > MAX_EARLY && oldest !== undefined) changes.delete(oldest);
    },
    find(message: InboundMessage): InboundMessage | undefined {
      if (changes.size === 0 || message.platformMessageId === undefined || isEditOrRecall(message)) return undefined;
      const found = changes.get(toKey(message));
      return found && found.untilMs > clock.monotonic() ? found.change : undefined;
    },
  };
}

async function applyEdit(deps: PendingEditsDeps, sessionId: string, change: InboundMessage): Promise<void> {
  const isTarget = ({ message }: WaitingMessage) =>
    !isEditOrRecall(message) && message.platformMessageId === change.platformMessageId;
  for (const one of (await deps.store.listWaiting(sessionId)).filter(isTarget)) {
    await (change.kind === "recall" ? dropMessage(deps, sessionId, one) : replaceText(deps, sessionId, one, change));
  }
}

async function dropMessage({ queue, processor }: PendingEditsDeps, sessionId: string, { traceId }: WaitingMessage) {
  for (const item of queue.drop(sessionId, traceId))
    await processor.drop(item, gatewayTexts.message("trace_withdrawn"), { isWithdrawn: true });
}

async function replaceText(
  { store, queue }: PendingEditsDeps,
  sessionId: string,
  { id, traceId, message }: WaitingMessage,
  { text, attachments, addressed }: InboundMessage,
) {
  await store.updateWaiting(id, { ...message, text, attachments, addressed: message.addressed || addressed });
  queue.dropCachedMessage(sessionId, traceId);
}
