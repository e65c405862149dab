import type { Clock, InboundMessage } from "@parley/core";
import { createBacklogPace } from "./backlog-pace.ts";
import type { WaitingItem } from "./store/inbox.ts";
import { createWaitingQueue, type WaitingQueue } from "./waiting-queue.ts";

/** Messages that wait for a turn: in order within a session, sessions one after another. */
export interface TurnQueue {
  /** What came since the start: what waited before does not keep it out. */
  readonly arrived: Pick<WaitingQueue, "total" | "ofChannel" | "oldestMs">;
  total(): number;
  /** Since when the oldest waits. */
  oldestMs(): number | undefined;
  add(item: WaitingItem): void;
  /** The change of an earlier message: it comes before what waits in its session, behind changes that wait already. */
  addChange(item: WaitingItem): void;
  /** What is at hand of a message is not what is stored of it any more: it is read when its turn comes. */
  forgetMessage(sessionId: string, traceId: string): void;
  /** What waited already when the service was started; new messages of its sessions come after it. */
  addBacklog(item: WaitingItem): void;
  /** Back to the front of its session, which waits so long. */
  retry(item: WaitingItem, inMs: number): void;
  /** Back to the front of its session, now. */
  putBack(item: WaitingItem): void;
  /** The session waits until it is released. */
  hold(sessionId: string): void;
  release(sessionId: string): void;
  /** The next one that may run now, if there is one. */
  next(): WaitingItem | undefined;
  /** True when nothing that waits comes before this one, of its own session or of others. */
  isNext(item: Pick<WaitingItem, "sessionId" | "channelId">): boolean;
  /** True when something that waits could run. */
  hasWork(): boolean;
  /** True while one that was tried waits for its next try. */
  isRetrying(): boolean;
  /** Takes out what waits in a session; only `traceId` when it is given. */
  drop(sessionId: string, traceId: string | undefined): readonly WaitingItem[];
  /** Those in which something waits. */
  sessions(): readonly string[];
  ofSession(sessionId: string): number;
  /** Wakes nobody any more. */
  stop(): void;
}

/** True for an edit or a recall of an earlier message. */
export function isChange({ kind }: Pick<InboundMessage, "kind">): boolean {
  return kind === "edit" || kind === "recall";
}

export interface TurnQueueParts {
  readonly clock: Clock;
  /** False while a session, or the worker, has to wait for something else. */
  readonly mayRun: (item: Pick<WaitingItem, "sessionId" | "channelId">) => boolean;
  /** Called when something may run that could not before. */
  readonly wake: () => void;
}

export function createTurnQueue({ clock, mayRun, wake }: TurnQueueParts): TurnQueue {
  const waiting = createWaitingQueue();
  const backlog = createWaitingQueue();
  const backlogPace = createBacklogPace(clock);
  const held = new Set<string>();
  const timers = new Map<string, NodeJS.Timeout>();
  let backlogTimer: NodeJS.Timeout | undefined;

  const isFree = (item: Pick<WaitingItem, "sessionId" | "channelId">) => !held.has(item.sessionId) && mayRun(item);
  const mayRunNow = (item: Pick<WaitingItem, "sessionId" | "channelId">) =>
    isFree(item) && backlog.ofSession(item.sessionId) === 0;
  const release = (sessionId: string) => {
    clearTimeout(timers.get(sessionId));
    timers.delete(sessionId);
    held.delete(sessionId);
    wake();
  };
  const putBack = (item: WaitingItem) => (item.isBacklog ? backlog : waiting).putBack(item);
  const fromBacklog = (): WaitingItem | undefined => {
    if (backlog.total() === 0) return undefined;
    const waitMs = backlogPace.waitMs();
    if (waitMs > 0) {
      backlogTimer ??= setTimeout(() => {
        backlogTimer = undefined;
        wake();
      }, waitMs);
      return undefined;
    }
    const item = backlog.take(isFree);
    if (item) backlogPace.take();
    return item;
  };

  return {
    arrived: waiting,
    add: waiting.add,
    addChange: (item) => waiting.addBefore(item, ({ message }) => message !== undefined && isChange(message)),
    forgetMessage: waiting.forgetMessage,
    addBacklog: backlog.add,
    putBack,
    retry(item, inMs) {
      putBack(item);
      const { sessionId } = item;
      held.add(sessionId);
      timers.set(
        sessionId,
        setTimeout(() => release(sessionId), inMs),
      );
    },
    hold: (sessionId) => void held.add(sessionId),
    release,
    next: () => waiting.take(mayRunNow) ?? fromBacklog(),
    isNext: (item) => mayRunNow(item) && !waiting.some(mayRunNow),
    hasWork: () => waiting.some(mayRunNow) || backlog.some(isFree),
    isRetrying: () => timers.size > 0,
    drop: (sessionId, traceId) => [...backlog.drop(sessionId, traceId), ...waiting.drop(sessionId, traceId)],
    sessions: () => [...new Set([...backlog.sessions(), ...waiting.sessions()])],
    total: () => backlog.total() + waiting.total(),
    ofSession: (sessionId) => backlog.ofSession(sessionId) + waiting.ofSession(sessionId),
    oldestMs: () => backlog.oldestMs() ?? waiting.oldestMs(),
    stop() {
      for (const timer of [...timers.values(), backlogTimer]) clearTimeout(timer);
    },
  };
}
