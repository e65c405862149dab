import { isStorageBusy, type Logger } from "@parley/core";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { ClaimedMessage, QueueItem } from "../store/inbox.ts";
import type { MessageProcessor } from "./message-processor.ts";
import { type TurnQueue, toRestarted } from "./queue/turn-queue.ts";
import type { StorageHealth } from "./storage-health.ts";

/** First delay of a retry while the storage fails; the delay doubles up to the maximum. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** Number of internal errors after which a message is dead-lettered. */
const MAX_ERRORS = 5;

/** Handles messages on which the service itself fails. */
export interface MessageRecovery {
  /** Called when the message was processed without an internal error. */
  onProcessed(itemId: string): void;
  onFailed(item: QueueItem, claimed: ClaimedMessage | undefined, error: Error): Promise<void>;
  /** Returns the sessions of messages whose claim or end is not committed. */
  unsettled(): readonly string[];
  stop(): void;
}

export interface MessageRecoveryDeps {
  readonly store: Pick<GatewayStore, "releaseLease">;
  readonly processor: Pick<MessageProcessor, "deadLetter">;
  readonly queue: Pick<TurnQueue, "hold" | "release" | "putBack">;
  readonly storageHealth: StorageHealth;
  readonly logger: Logger;
  readonly owner: string;
}

export function createMessageRecovery(deps: MessageRecoveryDeps): MessageRecovery {
  const { processor, storageHealth, logger } = deps;
  const errorCounts = new Map<string, number>();
  const leaseRelease = createLeaseRelease(deps);
  return {
    onProcessed: (itemId) => void errorCounts.delete(itemId),
    async onFailed(item, claimed, error) {
      storageHealth.markFailed(error);
      // A failure of the storage does not count against the message.
      const count = (errorCounts.get(item.id) ?? 0) + (isStorageBusy(error) ? 0 : 1);
      logger.error("a turn could not be processed", { traceId: item.traceId, tries: count, error });
      errorCounts.set(item.id, count);
      // A message that can neither be processed nor ended is not retried any more.
      const isDeadLettered =
        count >= MAX_ERRORS && claimed !== undefined && (await isFulfilled(processor.deadLetter(item, claimed)));
      if (isDeadLettered) errorCounts.delete(item.id);
      else leaseRelease.releaseLater(item, MIN_RETRY_MS);
    },
    unsettled: leaseRelease.unsettled,
    stop: leaseRelease.stop,
  };
}

function createLeaseRelease({ store, queue, storageHealth, owner }: MessageRecoveryDeps) {
  const timers = new Set<NodeJS.Timeout>();
  const unsettled = new Map<string, string>();
  let isStopping = false;
  const tryRelease = async (item: QueueItem, ms: number) => {
    try {
      if (await store.releaseLease(item.id, owner)) queue.putBack(toRestarted(item));
      storageHealth.markHealthy();
      unsettled.delete(item.id);
      queue.release(item.sessionId);
    } catch (error) {
      storageHealth.markFailed(error as Error);
      releaseLater(item, Math.min(ms * 2, MAX_RETRY_MS));
    }
  };
  /** Releases a message whose claim or end is not committed. Its session waits until then. */
  const releaseLater = (item: QueueItem, ms: number) => {
    if (isStopping) return;
    unsettled.set(item.id, item.sessionId);
    queue.hold(item.sessionId);
    const timer = setTimeout(() => {
      timers.delete(timer);
      void tryRelease(item, ms);
    }, ms);
    timers.add(timer);
  };
  return {
    releaseLater,
    unsettled: () => [...unsettled.values()],
    stop() {
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
      unsettled.clear();
    },
  };
}

async function isFulfilled(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
