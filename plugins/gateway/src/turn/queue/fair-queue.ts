import type { QueueItem } from "../../store/inbox.ts";

/** Messages that wait for their turn: in order within a session, while sessions take turns. */
export interface FairQueue {
  add(item: QueueItem): void;
  /** Inserts the item into its session before other items, but behind those for which `isBefore` is true. */
  addBefore(item: QueueItem, isBefore: (item: QueueItem) => boolean): void;
  /** Puts the item back at the front of its session. */
  putBack(item: QueueItem): void;
  /** Drops the cached copy of a message that was changed in storage; it is read again for its turn. */
  dropCachedMessage(sessionId: string, traceId: string): void;
  /** Removes and returns the first message of the session that has waited longest and may run now. */
  take(mayRun: (item: QueueItem) => boolean): QueueItem | undefined;
  /** Removes and returns the waiting messages of a session, or only the one with the given trace id. */
  drop(sessionId: string, traceId: string | undefined): readonly QueueItem[];
  /** Returns true when a message of any session may run. */
  some(mayRun: (item: QueueItem) => boolean): boolean;
  sessions(): readonly string[];
  total(): number;
  ofSession(sessionId: string): number;
  /** Returns the waiting messages of a session, in order. */
  listOf(sessionId: string): readonly QueueItem[];
  ofChannel(channelId: string): number;
  /** Returns the time of receipt of the oldest waiting message; undefined when none waits. */
  oldestMs(): number | undefined;
}

export function createFairQueue(): FairQueue {
  // Sessions in the order they run; each moves to the end after its turn, so that a busy one starves no other.
  const sessions = new Map<string, QueueItem[]>();
  const channels = new Map<string, number>();
  let total = 0;
  const count = ({ channelId }: QueueItem, by: number) => {
    total += by;
    channels.set(channelId, (channels.get(channelId) ?? 0) + by);
  };
  return {
    add(item) {
      const queue = sessions.get(item.sessionId);
      if (queue) queue.push(item);
      else sessions.set(item.sessionId, [item]);
      count(item, 1);
    },
    addBefore(item, isBefore) {
      const queue = sessions.get(item.sessionId) ?? [];
      const at = queue.findIndex((one) => !isBefore(one));
      sessions.set(item.sessionId, queue.toSpliced(at < 0 ? queue.length : at, 0, item));
      count(item, 1);
    },
    dropCachedMessage(sessionId, traceId) {
      const withoutMessage = ({ message: _message, ...item }: QueueItem) => item;
      const queue = sessions.get(sessionId);
      if (queue)
        sessions.set(
          sessionId,
          queue.map((item) => (item.traceId === traceId ? withoutMessage(item) : item)),
        );
    },
    putBack(item) {
      sessions.set(item.sessionId, [item, ...(sessions.get(item.sessionId) ?? [])]);
      count(item, 1);
    },
    take(mayRun) {
      for (const [sessionId, queue] of sessions) {
        const [head] = queue;
        if (!head || !mayRun(head)) continue;
        queue.shift();
        sessions.delete(sessionId);
        if (queue.length > 0) sessions.set(sessionId, queue);
        count(head, -1);
        return head;
      }
      return undefined;
    },
    drop(sessionId, traceId) {
      const queue = sessions.get(sessionId) ?? [];
      const dropped = queue.filter((item) => traceId === undefined || item.traceId === traceId);
      const left = queue.filter((item) => !dropped.includes(item));
      if (left.length > 0) sessions.set(sessionId, left);
      else sessions.delete(sessionId);
      for (const item of dropped) count(item, -1);
      return dropped;
    },
    some(mayRun) {
      for (const [head] of sessions.values()) if (head && mayRun(head)) return true;
      return false;
    },
    sessions: () => [...sessions.keys()],
    total: () => total,
    ofSession: (sessionId) => sessions.get(sessionId)?.length ?? 0,
    listOf: (sessionId) => sessions.get(sessionId) ?? [],
    ofChannel: (channelId) => channels.get(channelId) ?? 0,
    oldestMs() {
      let oldest: number | undefined;
      for (const [head] of sessions.values()) {
        if (head && (oldest === undefined || head.sinceMs < oldest)) oldest = head.sinceMs;
      }
      return oldest;
    },
  };
}
