import type { QueueItem } from "../../store/inbox.ts";
import { INTERNAL_CHANNEL } from "../run/task-runner.ts";
import { createTurnQueue, type TurnQueue, type TurnQueueDeps } from "./turn-queue.ts";

/** Separate queues for turns and tasks. A task may wait for a turn, and must not occupy that turn's slot meanwhile. */
export interface WorkQueues extends TurnQueue {
  /** Removes and returns the next task that may run now; `next` returns only turns. */
  nextTask(): QueueItem | undefined;
}

export function isTask({ sessionId }: Pick<QueueItem, "sessionId">): boolean {
  return sessionId.startsWith(`${INTERNAL_CHANNEL}:`);
}

export function createWorkQueues(deps: TurnQueueDeps): WorkQueues {
  const turns = createTurnQueue(deps);
  const tasks = createTurnQueue(deps);
  const queues = [turns, tasks];
  const selectQueue = (sessionId: string) => (isTask({ sessionId }) ? tasks : turns);
  const oldest = (times: readonly (number | undefined)[]) => {
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  };
  return {
    sinceStart: {
      total: () => turns.sinceStart.total() + tasks.sinceStart.total(),
      ofChannel: (channelId) => turns.sinceStart.ofChannel(channelId) + tasks.sinceStart.ofChannel(channelId),
      oldestMs: () => oldest(queues.map(({ sinceStart }) => sinceStart.oldestMs())),
    },
    total: () => turns.total() + tasks.total(),
    oldestMs: () => oldest(queues.map((lane) => lane.oldestMs())),
    add: (item) => selectQueue(item.sessionId).add(item),
    addFirst: (item) => selectQueue(item.sessionId).addFirst(item),
    dropCachedMessage: (sessionId, traceId) => selectQueue(sessionId).dropCachedMessage(sessionId, traceId),
    addBacklog: (item) => selectQueue(item.sessionId).addBacklog(item),
    retry: (item, inMs) => selectQueue(item.sessionId).retry(item, inMs),
    putBack: (item) => selectQueue(item.sessionId).putBack(item),
    hold: (sessionId) => selectQueue(sessionId).hold(sessionId),
    release: (sessionId) => selectQueue(sessionId).release(sessionId),
    next: turns.next,
    nextTask: tasks.next,
    isNext: (item) => selectQueue(item.sessionId).isNext(item),
    hasWork: () => queues.some((lane) => lane.hasWork()),
    isRetrying: () => queues.some((lane) => lane.isRetrying()),
    drop: (sessionId, traceId) => selectQueue(sessionId).drop(sessionId, traceId),
    sessions: () => queues.flatMap((lane) => lane.sessions()),
    listOf: (sessionId) => selectQueue(sessionId).listOf(sessionId),
    ofSession: (sessionId) => selectQueue(sessionId).ofSession(sessionId),
    stop() {
      for (const lane of queues) lane.stop();
    },
  };
}
