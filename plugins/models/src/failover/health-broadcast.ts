import type { Database, Logger, Signals } from "@parley/core";
import type { Health, HealthUpdate } from "./health.ts";

const TOPIC = "model-health";
/** A signal has so little room. */
const MAX_DETAIL_CHARS = 120;

export interface HealthBroadcastDeps {
  readonly database: () => Database;
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

/** Broadcasts the health of a model to other processes. Nothing is stored: a process that misses it finds out with its own call. */
export function createHealthBroadcaster({ database, signals, log }: HealthBroadcastDeps): (news: HealthUpdate) => void {
  return ({ lastError, ...news }) => {
    const update = { ...news, lastError: lastError && truncateError(lastError) };
    const writes = signals()?.telling([{ topic: TOPIC, key: JSON.stringify(update) }]) ?? [];
    if (writes.length === 0) return;
    database()
      .write(writes)
      .catch((error: unknown) => log.debug("the health of a model was not told", { error }));
  };
}

function truncateError({ chinese, ...error }: NonNullable<HealthUpdate["lastError"]>): HealthUpdate["lastError"] {
  const shorter = chinese === undefined ? {} : { chinese: chinese.slice(0, MAX_DETAIL_CHARS) };
  return { ...error, detail: error.detail.slice(0, MAX_DETAIL_CHARS), ...shorter };
}

/** Applies the health updates of other processes; returns a function that stops that. */
export function subscribeHealth(signals: Signals | undefined, health: Pick<Health, "receive">): () => void {
  const unsubscribe = signals?.listen(TOPIC, (key) => {
    // Without a key, updates were missed; cooldowns in them have ended by now.
    if (key !== undefined) health.receive(JSON.parse(key) as HealthUpdate);
  });
  return unsubscribe ?? (() => {});
}
