import type { Clock, Logger } from "@parley/core";
import { KEPT, type Minute, type MinuteMetrics, minuteOf } from "./minute-metrics.ts";
import type { MinuteStore } from "./store/minutes.ts";

/** So late the other nodes know, and so much is lost when a process is killed. */
const KEEP_EVERY_MS = 5_000;

/** The last hour of the installation: of all processes, also of those that have ended. */
export interface MinutesEverywhere {
  all(): Promise<readonly Minute[]>;
  /** Stores every few seconds what this process counts, for the other nodes and for its next start; the end stores the rest. */
  keep(): () => Promise<void>;
}

export interface MinutesEverywhereParts {
  readonly metrics: Pick<MinuteMetrics, "all" | "changed">;
  readonly store: MinuteStore;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createMinutesEverywhere({ metrics, store, clock, log }: MinutesEverywhereParts): MinutesEverywhere {
  const first = () => minuteOf(clock) - KEPT + 1;
  let unkept: ReturnType<MinuteMetrics["changed"]> = [];
  const keepNow = async () => {
    const changed = metrics.changed();
    const again = new Set(changed.map(({ minute }) => minute));
    const rows = [...unkept.filter(({ minute }) => !again.has(minute) && minute >= first()), ...changed];
    if (rows.length === 0) return;
    unkept = rows;
    await store.put(rows, first());
    if (unkept === rows) unkept = [];
  };
  return {
    all: async () => metrics.all(await store.ofOthers(first())),
    keep() {
      const tried = () =>
        keepNow().catch((error: unknown) =>
          log.debug("what was counted in the last minutes could not be stored", { error }),
        );
      let keeping: Promise<void> | undefined;
      const timer = setInterval(() => {
        keeping ??= tried().finally(() => {
          keeping = undefined;
        });
      }, KEEP_EVERY_MS);
      return async () => {
        clearInterval(timer);
        await keeping;
        await tried();
      };
    },
  };
}
