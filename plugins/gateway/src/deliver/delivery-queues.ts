import type { ConversationMove } from "@parley/core";
import type { Delivery } from "../store/delivery.ts";

/** Pending deliveries: one queue per conversation, keyed by `toConversationKey`. */
export interface DeliveryQueues {
  /** Appends deliveries; returns the keys of their conversations. */
  add(deliveries: readonly Delivery[]): ReadonlySet<string>;
  /** True until `close`, even while the last delivery of the conversation is being sent. */
  has(key: string): boolean;
  first(key: string): Delivery | undefined;
  second(key: string): Delivery | undefined;
  /** Replaces the first or the second delivery of the queue by its current version. */
  replaceFirst(key: string, delivery: Delivery): void;
  replaceSecond(key: string, delivery: Delivery): void;
  shift(key: string): void;
  /** Removes these deliveries of a conversation, except the first while it `isSending`; returns the removed ones. */
  remove(key: string, ids: ReadonlySet<string>, isSending: boolean): readonly Delivery[];
  /** Removes and returns all waiting deliveries of a conversation. */
  take(key: string): readonly Delivery[];
  /** Deletes the queue of a conversation if it is empty. */
  close(key: string): void;
  keys(): Iterable<string>;
  hasWaiting(sessionId: string): boolean;
  total(): number;
}

export function toConversationKey({
  channelId,
  conversationId,
}: Pick<Delivery, "channelId" | "conversationId">): string {
  return `${channelId}\0${conversationId}`;
}

export function isKeyOfChannel(key: string, channelId: string): boolean {
  return key.startsWith(`${channelId}\0`);
}

export function createDeliveryQueues(): DeliveryQueues {
  const queues = new Map<string, Delivery[]>();
  const waiting = createSessionCounts();
  const replace = (key: string, at: number, delivery: Delivery) => {
    const queue = queues.get(key);
    if (queue && at < queue.length) queue[at] = delivery;
  };
  return {
    add(deliveries) {
      const keys = new Set<string>();
      for (const delivery of deliveries) {
        const key = toConversationKey(delivery);
        const queue = queues.get(key);
        if (queue) queue.push(delivery);
        else queues.set(key, [delivery]);
        waiting.count(delivery, 1);
        keys.add(key);
      }
      return keys;
    },
    has: (key) => queues.has(key),
    first: (key) => queues.get(key)?.[0],
    second: (key) => queues.get(key)?.[1],
    replaceFirst: (key, delivery) => replace(key, 0, delivery),
    replaceSecond: (key, delivery) => replace(key, 1, delivery),
    shift(key) {
      const done = queues.get(key)?.shift();
      if (done) waiting.count(done, -1);
    },
    remove(key, ids, isSending) {
      const queue = queues.get(key) ?? [];
      const removed = queue.filter(({ id }, at) => ids.has(id) && !(isSending && at === 0));
      if (removed.length > 0)
        queues.set(
          key,
          queue.filter((delivery) => !removed.includes(delivery)),
        );
      for (const delivery of removed) waiting.count(delivery, -1);
      return removed;
    },
    take(key) {
      const queue = queues.get(key) ?? [];
      queues.delete(key);
      for (const delivery of queue) waiting.count(delivery, -1);
      return queue;
    },
    close(key) {
      if (queues.get(key)?.length === 0) queues.delete(key);
    },
    keys: () => queues.keys(),
    hasWaiting: waiting.has,
    total: waiting.total,
  };
}

function createSessionCounts() {
  const sessions = new Map<string, number>();
  let total = 0;
  return {
    count({ message: { sessionId } }: Delivery, by: number) {
      total += by;
      const left = (sessions.get(sessionId) ?? 0) + by;
      if (left > 0) sessions.set(sessionId, left);
      else sessions.delete(sessionId);
    },
    has: (sessionId: string) => sessions.has(sessionId),
    total: () => total,
  };
}

/** Returns the delivery readdressed to the conversation's new id. */
export function moveToConversation(delivery: Delivery, { to }: Pick<ConversationMove, "to">, nextMs: number): Delivery {
  const message = { ...delivery.message, conversation: { ...delivery.message.conversation, id: to } };
  return { ...delivery, conversationId: to, message, state: "pending", nextMs };
}

/** Returns a delivery as after a crash: one that was being sent may have arrived, and counts as an attempt. */
export function recoverDelivery(delivery: Delivery): Delivery {
  if (delivery.state !== "sending") return delivery;
  return { ...delivery, state: "unknown_after_send", attempts: delivery.attempts + 1 };
}
