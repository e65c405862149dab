import type { Clock, InboundMessage } from "@parley/core";
import type { QueueItem } from "../../store/inbox.ts";
import { createBacklogThrottle } from "./backlog-throttle.ts";
import { createFairQueue, type FairQueue } from "./fair-queue.ts";

/** Messages that wait for a turn: in order within a session, while sessions take turns. */
export interface TurnQueue {
  /** Waiting messages that arrived since the start; the backlog does not count towards the limits. */
  readonly sinceStart: Pick<FairQueue, "total" | "ofChannel" | "oldestMs">;
  total(): number;
  /** Returns the time of receipt of the oldest waiting message; undefined when none waits. */
  oldestMs(): number | undefined;
  add(item: QueueItem): void;
  /** Queues a message before the others of its session, but behind edits and deletions. */
  addFirst(item: QueueItem): void;
  /** Drops the cached copy of a message that was changed in storage; it is read again for its turn. */
  dropCachedMessage(sessionId: string, traceId: string): void;
  /** Queues a message that was waiting when the service started. New messages of its session come after it. */
  addBacklog(item: QueueItem): void;
  /** Puts a message back at the front of its session, which then waits for `inMs` milliseconds. */
  retry(item: QueueItem, inMs: number): void;
  /** Puts the item back at the front of its session, without a delay. */
  putBack(item: QueueItem): void;
  /** Blocks the session until it is released. */
  hold(sessionId: string): void;
  release(sessionId: string): void;
  /** Removes and returns the next message that may run now. */
  next(): QueueItem | undefined;
  /** True when no waiting message would run before this one. */
  isNext(item: Pick<QueueItem, "sessionId" | "channelId">): boolean;
  /** True when a waiting message may run now. */
  hasWork(): boolean;
  /** True while a message waits for the delay of its retry. */
  isRetrying(): boolean;
  /** Removes and returns the waiting messages of a session, or only the one with the given trace id. */
  drop(sessionId: string, traceId: string | undefined): readonly QueueItem[];
  /** Returns the sessions with waiting messages. */
  sessions(): readonly string[];
  ofSession(sessionId: string): number;
  /** Returns the waiting messages of a session, in order. */
  listOf(sessionId: string): readonly QueueItem[];
  stop(): void;
}

/** True for an edit or a deletion of an earlier message. */
export function isEditOrRecall({ kind }: Pick<InboundMessage, "kind">): boolean {
  return kind === "edit" || kind === "recall";
}

/** Returns the item as after a restart, so that its message is read again. */
export function toRestarted({ message: _message, ...item }: QueueItem): QueueItem {
  return { ...item, isFirst: false };
}

export interface TurnQueueDeps {
  readonly clock: Clock;
  /** Returns false while the session or the worker must wait. */
  readonly canRun: (item: Pick<QueueItem, "sessionId" | "channelId">) => boolean;
  /** Called when a blocked message may run. */
  readonly wake: () => void;
  /** Called when a new message was queued. */
  readonly onAdded: (item: QueueItem) => void;
}

export function createTurnQueue({ clock, canRun, wake, onAdded }: TurnQueueDeps): TurnQueue {
  const waiting = createFairQueue();
  const backlog = createFairQueue();
  const backlogThrottle = createBacklogThrottle(clock);
  const blockedSessions = new Set<string>();
  const timers = new Map<string, NodeJS.Timeout>();
  let backlogTimer: NodeJS.Timeout | undefined;

  const isReady = (item: Pick<QueueItem, "sessionId" | "channelId">) =>
    !blockedSessions.has(item.sessionId) && canRun(item);
  const canRunNow = (item: Pick<QueueItem, "sessionId" | "channelId">) =>
    isReady(item) && backlog.ofSession(item.sessionId) === 0;
  const release = (sessionId: string) => {
    clearTimeout(timers.get(sessionId));
    timers.delete(sessionId);
    blockedSessions.delete(sessionId);
    wake();
  };
  const putBack = (item: QueueItem) => (item.isBacklog ? backlog : waiting).putBack(item);
  const takeFromBacklog = (): QueueItem | undefined => {
    if (backlog.total() === 0) return undefined;
    const waitMs = backlogThrottle.waitMs();
    if (waitMs > 0) {
      backlogTimer ??= setTimeout(() => {
        backlogTimer = undefined;
        wake();
      }, waitMs);
      return undefined;
    }
    const item = backlog.take(isReady);
    if (item) backlogThrottle.take();
    return item;
  };

  return {
    sinceStart: waiting,
    add(item) {
      waiting.add(item);
      onAdded(item);
    },
    addFirst: (item) => waiting.addBefore(item, ({ message }) => message !== undefined && isEditOrRecall(message)),
    dropCachedMessage: waiting.dropCachedMessage,
    addBacklog: backlog.add,
    putBack,
    retry(item, inMs) {
      putBack(item);
      const { sessionId } = item;
      blockedSessions.add(sessionId);
      timers.set(
        sessionId,
        setTimeout(() => release(sessionId), inMs),
      );
    },
    hold: (sessionId) => void blockedSessions.add(sessionId),
    release,
    next: () => waiting.take(canRunNow) ?? takeFromBacklog(),
    isNext: (item) => canRunNow(item) && !waiting.some(canRunNow),
    hasWork: () => waiting.some(canRunNow) || backlog.some(isReady),
    isRetrying: () => timers.size > 0,
    drop: (sessionId, traceId) => [...backlog.drop(sessionId, traceId), ...waiting.drop(sessionId, traceId)],
    sessions: () => [...new Set([...backlog.sessions(), ...waiting.sessions()])],
    total: () => backlog.total() + waiting.total(),
    listOf: (sessionId) => [...backlog.listOf(sessionId), ...waiting.listOf(sessionId)],
    ofSession: (sessionId) => backlog.ofSession(sessionId) + waiting.ofSession(sessionId),
    oldestMs: () => backlog.oldestMs() ?? waiting.oldestMs(),
    stop() {
      for (const timer of [...timers.values(), backlogTimer]) clearTimeout(timer);
    },
  };
}
