import { type Clock, type Database, fixedStatement, type Logger } from "@parley/core";
import type { WaitingQueue } from "./waiting-queue.ts";

const LOOK_EVERY_MS = 1_000;
const WAITING = "select channel_id, count(*) as count from inbox where state = 'waiting' group by channel_id";

type Counts = Pick<WaitingQueue, "total" | "ofChannel">;

export interface WaitingEverywhereParts {
  readonly truth: () => Database;
  /** What waits in this node's memory. */
  readonly own: Counts;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * What waits at all nodes, as it was stored a second ago: a limit is passed at most by what comes in a second. It is looked at
 * while somebody asks.
 */
export function createWaitingEverywhere({ truth, own, clock, log }: WaitingEverywhereParts): Counts {
  let channels: ReadonlyMap<string, number> = new Map();
  let total = 0;
  let lookedMs = Number.NEGATIVE_INFINITY;
  const look = async () => {
    const rows = await truth().lookup<{ channel_id: string; count: number | string }>(fixedStatement(WAITING, []));
    channels = new Map(rows.map(({ channel_id, count }) => [channel_id, Number(count)]));
    total = [...channels.values()].reduce((sum, count) => sum + count, 0);
  };
  const lookAgain = () => {
    if (clock.monotonic() - lookedMs < LOOK_EVERY_MS) return;
    lookedMs = clock.monotonic();
    look().catch((error: unknown) => log.debug("what waits at all nodes cannot be counted now", { error }));
  };
  return {
    total() {
      lookAgain();
      return Math.max(own.total(), total);
    },
    ofChannel(channelId) {
      lookAgain();
      return Math.max(own.ofChannel(channelId), channels.get(channelId) ?? 0);
    },
  };
}
