import type { Database, Logger, Signals } from "@parley/core";
import type { QuarantineEvent, RuleHealth } from "./rule-health.ts";

const TOPIC = "filter-aside";

export interface QuarantineBroadcastDeps {
  readonly database: () => Database;
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

/** Broadcasts quarantined rules to other processes, which would otherwise run the slow pattern again. */
export function createQuarantineBroadcast(deps: QuarantineBroadcastDeps): (news: QuarantineEvent) => void {
  const { database, signals, log } = deps;
  return (news) => {
    const writes = signals()?.telling([{ topic: TOPIC, key: JSON.stringify(news) }]) ?? [];
    if (writes.length === 0) return;
    database()
      .write(writes)
      .catch((error: unknown) => log.warn("the other nodes were not notified of a rule", { rule: news.id, error }));
  };
}

/** Follows quarantines of other processes; returns the unsubscribe function. */
export function followQuarantine(signals: Signals | undefined, health: Pick<RuleHealth, "receive">): () => void {
  const end = signals?.listen(TOPIC, (key) => {
    // If a signal was missed, the slow pattern is detected again here.
    if (key !== undefined) health.receive(JSON.parse(key) as QuarantineEvent);
  });
  return end ?? (() => {});
}
