import type { Clock, Logger } from "@parley/core";
import { KEPT, type Minute, type MinuteMetrics, minuteOf } from "./minute-metrics.ts";
import type { MinuteStore } from "./store/minutes.ts";

/** So late the other nodes know. */
const KEEP_EVERY_MS = 5_000;

/** The last hour of the installation: of all nodes, also of those that are gone. */
export interface MinutesEverywhere {
  all(): Promise<readonly Minute[]>;
  /** Keeps what this node counts for the others, behind what it does; the end keeps the rest. */
  keep(): () => Promise<void>;
}

export interface MinutesEverywhereParts {
  readonly metrics: Pick<MinuteMetrics, "all" | "changed">;
  /** Undefined: one process works alone. */
  readonly store: MinuteStore | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createMinutesEverywhere({ metrics, store, clock, log }: MinutesEverywhereParts): MinutesEverywhere {
  const first = () => minuteOf(clock) - KEPT + 1;
  let unkept: ReturnType<MinuteMetrics["changed"]> = [];
  const keepNow = async (to: MinuteStore) => {
    const changed = metrics.changed();
    const again = new Set(changed.map(({ minute }) => minute));
    const rows = [...unkept.filter(({ minute }) => !again.has(minute) && minute >= first()), ...changed];
    if (rows.length === 0) return;
    unkept = rows;
    await to.put(rows, first());
    if (unkept === rows) unkept = [];
  };
  return {
    all: async () => metrics.all(await store?.ofOthers(first())),
    keep() {
      if (!store) return async () => {};
      const tried = () =>
        keepNow(store).catch((error: unknown) => log.debug("the other nodes do not know what was counted", { error }));
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
