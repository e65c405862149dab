import type { Database, Logger, Signals } from "@parley/core";
import type { Health, HealthNews } from "./calls/health.ts";

const TOPIC = "model-health";
/** A signal has so little room. */
const MAX_DETAIL = 120;

export interface HealthNewsParts {
  readonly database: () => Database;
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

/** Tells other processes what became of a model. It is nowhere stored: who is not told finds out by asking the model. */
export function healthTeller({ database, signals, log }: HealthNewsParts): (news: HealthNews) => void {
  return ({ lastError, ...news }) => {
    const told = { ...news, lastError: lastError && cut(lastError) };
    const writes = signals()?.telling([{ topic: TOPIC, key: JSON.stringify(told) }]) ?? [];
    if (writes.length === 0) return;
    database()
      .write(writes)
      .catch((error: unknown) => log.debug("the health of a model was not told", { error }));
  };
}

function cut({ chinese, ...error }: NonNullable<HealthNews["lastError"]>): HealthNews["lastError"] {
  const shorter = chinese === undefined ? {} : { chinese: chinese.slice(0, MAX_DETAIL) };
  return { ...error, detail: error.detail.slice(0, MAX_DETAIL), ...shorter };
}

/** Heeds what others tell; returns the end of it. */
export function followHealth(signals: Signals | undefined, health: Pick<Health, "heard">): () => void {
  const end = signals?.listen(TOPIC, (key) => {
    // What is not known any more was long ago.
    if (key !== undefined) health.heard(JSON.parse(key) as HealthNews);
  });
  return end ?? (() => {});
}
