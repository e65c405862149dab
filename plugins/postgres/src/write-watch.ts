import type { Clock, Logger } from "@parley/core";
import { toReason } from "./connection/failures.ts";
import type { CommitWatch } from "./connection/writer.ts";

/** Reports when commits start to fail and when they succeed again, once each. */
export interface WriteWatch extends CommitWatch {
  /** Returns the number of failures since the start. */
  getFailureCount(): number;
  /** Returns the current problem as a sentence; undefined when there is none. */
  getProblem(): string | undefined;
}

interface Outage {
  readonly since: number;
  readonly reason: string;
  rejected: number;
}

export function createWriteWatch({ clock, log }: { readonly clock: Clock; readonly log: Logger }): WriteWatch {
  let outage: Outage | undefined;
  let failures = 0;
  return {
    onFailed(error) {
      failures += 1;
      if (outage) {
        outage.rejected += 1;
        return;
      }
      outage = { since: clock.monotonic(), reason: toReason(error), rejected: 1 };
      log.warn("nothing can be stored", { reason: outage.reason });
    },
    onCommitted() {
      if (!outage) return;
      const seconds = Math.round((clock.monotonic() - outage.since) / 1000);
      log.warn("storing works again", { seconds, refused: outage.rejected });
      outage = undefined;
    },
    getFailureCount: () => failures,
    getProblem: () => outage && `nothing can be stored: ${outage.reason}`,
  };
}
