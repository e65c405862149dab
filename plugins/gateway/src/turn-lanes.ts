import type { WaitingItem } from "./store/inbox.ts";
import { INTERNAL_CHANNEL } from "./task-work.ts";
import { createTurnQueue, type TurnQueue, type TurnQueueParts } from "./turn-queue.ts";

/** Turns and tasks wait in queues of their own: a task that waits for a turn must not keep that turn from its place. */
export interface TurnLanes extends TurnQueue {
  /** The next task that may run now, if there is one; `next` gives turns alone. */
  nextTask(): WaitingItem | undefined;
}

export function isTask({ sessionId }: Pick<WaitingItem, "sessionId">): boolean {
  return sessionId.startsWith(`${INTERNAL_CHANNEL}:`);
}

export function createTurnLanes(parts: TurnQueueParts): TurnLanes {
  const turns = createTurnQueue(parts);
  const tasks = createTurnQueue(parts);
  const lanes = [turns, tasks];
  const of = (sessionId: string) => (isTask({ sessionId }) ? tasks : turns);
  const oldest = (times: readonly (number | undefined)[]) => {
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  };
  return {
    arrived: {
      total: () => turns.arrived.total() + tasks.arrived.total(),
      ofChannel: (channelId) => turns.arrived.ofChannel(channelId) + tasks.arrived.ofChannel(channelId),
      oldestMs: () => oldest(lanes.map(({ arrived }) => arrived.oldestMs())),
    },
    total: () => turns.total() + tasks.total(),
    oldestMs: () => oldest(lanes.map((lane) => lane.oldestMs())),
    add: (item) => of(item.sessionId).add(item),
    addChange: (item) => of(item.sessionId).addChange(item),
    forgetMessage: (sessionId, traceId) => of(sessionId).forgetMessage(sessionId, traceId),
    addBacklog: (item) => of(item.sessionId).addBacklog(item),
    retry: (item, inMs) => of(item.sessionId).retry(item, inMs),
    putBack: (item) => of(item.sessionId).putBack(item),
    hold: (sessionId) => of(sessionId).hold(sessionId),
    release: (sessionId) => of(sessionId).release(sessionId),
    next: turns.next,
    nextTask: tasks.next,
    isNext: (item) => of(item.sessionId).isNext(item),
    hasWork: () => lanes.some((lane) => lane.hasWork()),
    isRetrying: () => lanes.some((lane) => lane.isRetrying()),
    drop: (sessionId, traceId) => of(sessionId).drop(sessionId, traceId),
    sessions: () => lanes.flatMap((lane) => lane.sessions()),
    ofSession: (sessionId) => of(sessionId).ofSession(sessionId),
    stop() {
      for (const lane of lanes) lane.stop();
    },
  };
}
