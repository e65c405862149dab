import type { Database, Logger, Signals } from "@parley/core";
import type { Health, HealthUpdate } from "./health.ts";

const TOPIC = "model-health";
/** Maximum length of the error text, which must fit into a signal. */
const MAX_DETAIL_CHARS = 120;

export interface HealthBroadcastDeps {
  readonly database: () => Database;
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

/** Broadcasts the health of models to other processes. A process that misses an update finds out with its own call. */
export function createHealthBroadcaster({ database, signals, log }: HealthBroadcastDeps): (news: HealthUpdate) => void {
  return ({ lastError, ...news }) => {
    const update = { ...news, lastError: lastError && truncateError(lastError) };
    const writes = signals()?.telling([{ topic: TOPIC, key: JSON.stringify(update) }]) ?? [];
    if (writes.length === 0) return;
    database()
      .write(writes)
      .catch((error: unknown) => log.debug("the health of a model could not be broadcast", { error }));
  };
}

function truncateError({ chinese, ...error }: NonNullable<HealthUpdate["lastError"]>): HealthUpdate["lastError"] {
  const shorter = chinese === undefined ? {} : { chinese: chinese.slice(0, MAX_DETAIL_CHARS) };
  return { ...error, detail: error.detail.slice(0, MAX_DETAIL_CHARS), ...shorter };
}

/** Applies the health updates of other processes; returns an unsubscribe function. */
export function subscribeHealth(signals: Signals | undefined, health: Pick<Health, "receive">): () => void {
  const unsubscribe = signals?.listen(TOPIC, (key) => {
    // A signal without a key means that updates were missed; their cooldowns have ended by now.
    if (key !== undefined) health.receive(JSON.parse(key) as HealthUpdate);
  });
  return unsubscribe ?? (() => {});
}
