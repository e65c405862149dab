import type { Clock, Logger } from "@parley/core";
import { getMinute, type Minute, type MinuteMetrics, WINDOW_MINUTES } from "../observe/metrics/minute-metrics.ts";
import type { MinuteStore } from "../store/nodes/minutes.ts";

/** Interval of saving: the delay for other nodes, and the time whose counts a killed process loses. */
const SAVE_EVERY_MS = 5_000;

/** Metrics of the last hour of the whole installation: all processes, including those that have ended. */
export interface ClusterMetrics {
  getMinutes(): Promise<readonly Minute[]>;
  /** Stores the counts every few seconds, for other nodes and the next start; the returned function stores the rest. */
  startSaving(): () => Promise<void>;
}

export interface ClusterMetricsDeps {
  readonly metrics: Pick<MinuteMetrics, "getMinutes" | "takeChanged">;
  readonly store: MinuteStore;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createClusterMetrics({ metrics, store, clock, log }: ClusterMetricsDeps): ClusterMetrics {
  const getFirstMinute = () => getMinute(clock) - WINDOW_MINUTES + 1;
  let unsaved: ReturnType<MinuteMetrics["takeChanged"]> = [];
  const save = async () => {
    const changed = metrics.takeChanged();
    const changedMinutes = new Set(changed.map(({ minute }) => minute));
    const rows = [
      ...unsaved.filter(({ minute }) => !changedMinutes.has(minute) && minute >= getFirstMinute()),
      ...changed,
    ];
    if (rows.length === 0) return;
    unsaved = rows;
    await store.put(rows, getFirstMinute());
    if (unsaved === rows) unsaved = [];
  };
  return {
    getMinutes: async () => metrics.getMinutes(await store.listRemote(getFirstMinute())),
    startSaving() {
      const trySave = () =>
        save().catch((error: unknown) => log.debug("the metrics of the last minutes could not be stored", { error }));
      let saving: Promise<void> | undefined;
      const timer = setInterval(() => {
        saving ??= trySave().finally(() => {
          saving = undefined;
        });
      }, SAVE_EVERY_MS);
      return async () => {
        clearInterval(timer);
        await saving;
        await trySave();
      };
    },
  };
}
