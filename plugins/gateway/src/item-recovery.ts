import { isStorageBusy, type Logger } from "@parley/core";
import type { ItemWork } from "./item-work.ts";
import type { StorageTrouble } from "./storage-trouble.ts";
import type { Claimed, WaitingItem } from "./store/inbox.ts";
import type { GatewayStore } from "./store.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** While the storage cannot take anything: from a second on, doubling. */
const FIRST_FREE_MS = 1_000;
const LAST_FREE_MS = 30_000;
/** Faults of our own on one message, after which it is given up. */
const MAX_FAULTS = 5;

/** What becomes of a message on which this service itself fails. */
export interface ItemRecovery {
  /** It was worked on without a fault. */
  worked(itemId: string): void;
  failed(item: WaitingItem, claimed: Claimed | undefined, error: Error): Promise<void>;
  /** Sessions of those that are not settled yet. */
  unsettled(): readonly string[];
  /** Tries nothing anew. */
  stop(): void;
}

export interface ItemRecoveryParts {
  readonly store: Pick<GatewayStore, "free">;
  readonly work: Pick<ItemWork, "giveUp">;
  readonly queue: Pick<TurnQueue, "hold" | "release" | "putBack">;
  readonly trouble: StorageTrouble;
  readonly logger: Logger;
  /** Names this process in leases. */
  readonly owner: string;
}

export function createItemRecovery(parts: ItemRecoveryParts): ItemRecovery {
  const { work, trouble, logger } = parts;
  const faults = new Map<string, number>();
  const freeing = createFreeing(parts);
  return {
    worked: (itemId) => void faults.delete(itemId),
    async failed(item, claimed, error) {
      trouble.fails(error);
      // What the storage refuses says nothing about the message.
      const count = (faults.get(item.id) ?? 0) + (isStorageBusy(error) ? 0 : 1);
      logger.error("a turn could not be worked on", { traceId: item.traceId, tries: count, error });
      faults.set(item.id, count);
      // A message that can neither be worked on nor ended must not be tried for ever.
      const isGivenUp = count >= MAX_FAULTS && claimed !== undefined && (await succeeds(work.giveUp(item, claimed)));
      if (isGivenUp) faults.delete(item.id);
      else freeing.freeLater(item, FIRST_FREE_MS);
    },
    unsettled: freeing.unsettled,
    stop: freeing.stop,
  };
}

function createFreeing({ store, queue, trouble, owner }: ItemRecoveryParts) {
  const timers = new Set<NodeJS.Timeout>();
  const unsettled = new Map<string, string>();
  let isStopping = false;
  const settle = async (item: WaitingItem, ms: number) => {
    try {
      if (await store.free(item.id, owner)) queue.putBack(begunBefore(item));
      trouble.works();
      unsettled.delete(item.id);
      queue.release(item.sessionId);
    } catch (error) {
      trouble.fails(error as Error);
      freeLater(item, Math.min(ms * 2, LAST_FREE_MS));
    }
  };
  /** Its claim or its end is not on disk: until that is settled its session waits. */
  const freeLater = (item: WaitingItem, ms: number) => {
    if (isStopping) return;
    unsettled.set(item.id, item.sessionId);
    queue.hold(item.sessionId);
    const timer = setTimeout(() => {
      timers.delete(timer);
      void settle(item, ms);
    }, ms);
    timers.add(timer);
  };
  return {
    freeLater,
    unsettled: () => [...unsettled.values()],
    stop() {
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
      unsettled.clear();
    },
  };
}

/** As one whose turn was begun: everything of it is read anew. */
export function begunBefore({ message: _message, ...item }: WaitingItem): WaitingItem {
  return { ...item, isFirst: false };
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
