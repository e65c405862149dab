import type { Logger } from "../services/operations/logger.ts";
import type { Signals } from "../services/operations/signals.ts";
import type { Database } from "../services/storage/database.ts";

/** Services of a broadcast. */
export interface BroadcastDeps {
  readonly database: () => Database;
  /** Absent: there are no other processes. */
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

/** Events of one topic between the processes on one database, for state in memory: a missed event must do no harm. */
export interface Broadcast<Event> {
  /** Sends an event to the other processes, in order; its JSON has at most 1,000 characters. */
  send(event: Event): void;
  /** Calls back for each event of another process; returns the unsubscribe function. */
  listen(listener: (event: Event) => void): () => void;
}

/** Opens the broadcast of a topic. What a transaction changes is signalled within it instead (`Signals.telling`). */
export function createBroadcast<Event>(topic: string, { database, signals, log }: BroadcastDeps): Broadcast<Event> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    send(event) {
      const writes = signals()?.telling([{ topic, key: JSON.stringify(event) }]) ?? [];
      if (writes.length === 0) return;
      last = last
        .then(() => database().write(writes))
        .catch((error: unknown) => log.warn("an event could not be sent to the other nodes", { topic, error }));
    },
    listen(listener) {
      // A signal without a key means that events were missed.
      const end = signals()?.listen(topic, (key) => key !== undefined && listener(JSON.parse(key) as Event));
      return end ?? (() => {});
    },
  };
}
