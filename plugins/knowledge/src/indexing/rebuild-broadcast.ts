import type { Database, Logger, Signals } from "@parley/core";
import type { Rebuild, RebuildEvent } from "./rebuild.ts";

const TOPIC = "knowledge-rebuild";

export interface RebuildBroadcastDeps {
  readonly database: () => Database;
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

/** Broadcasts the progress of a rebuild to other processes, which report it too and may wait for its end. */
export function createRebuildBroadcast({ database, signals, log }: RebuildBroadcastDeps): (news: RebuildEvent) => void {
  let last: Promise<unknown> = Promise.resolve();
  return (news) => {
    const writes = signals()?.telling([{ topic: TOPIC, key: JSON.stringify(news) }]) ?? [];
    if (writes.length === 0) return;
    const broadcast = () => database().write(writes);
    // Events are handled in the order in which they happened.
    last = last
      .then(broadcast)
      .catch((error: unknown) => log.warn("the progress of a rebuild could not be reported", { error }));
  };
}

/** Follows rebuilds of other processes; returns the unsubscribe function. */
export function followRebuild(signals: Signals | undefined, rebuild: Pick<Rebuild, "receive">): () => void {
  const end = signals?.listen(TOPIC, (key) => {
    // Missed events are outdated.
    if (key !== undefined) rebuild.receive(JSON.parse(key) as RebuildEvent);
  });
  return end ?? (() => {});
}
