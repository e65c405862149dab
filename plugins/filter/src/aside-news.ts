import type { Database, Logger, Signals } from "@parley/core";
import type { AsideNews, RuleHealth } from "./rule-health.ts";

const TOPIC = "filter-aside";

export interface AsideNewsParts {
  readonly database: () => Database;
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

/** Tells other processes of rules that are set aside: each of them would try again what takes too long. */
export function asideTeller({ database, signals, log }: AsideNewsParts): (news: AsideNews) => void {
  return (news) => {
    const writes = signals()?.telling([{ topic: TOPIC, key: JSON.stringify(news) }]) ?? [];
    if (writes.length === 0) return;
    database()
      .write(writes)
      .catch((error: unknown) => log.warn("the other nodes were not told of a rule", { rule: news.id, error }));
  };
}

/** Heeds what others tell; returns the end of it. */
export function followAside(signals: Signals | undefined, health: Pick<RuleHealth, "heard">): () => void {
  const end = signals?.listen(TOPIC, (key) => {
    // What is not known any more is found out here, too.
    if (key !== undefined) health.heard(JSON.parse(key) as AsideNews);
  });
  return end ?? (() => {});
}
