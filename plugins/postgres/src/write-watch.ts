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

interface FailureSpell {
  readonly since: number;
  readonly reason: string;
  rejected: number;
}

export function createWriteWatch({ clock, log }: { readonly clock: Clock; readonly log: Logger }): WriteWatch {
  let spell: FailureSpell | undefined;
  let failures = 0;
  return {
    onFailed(error) {
      failures += 1;
      if (spell) {
        spell.rejected += 1;
        return;
      }
      spell = { since: clock.monotonic(), reason: toReason(error), rejected: 1 };
      log.warn("nothing can be stored", { reason: spell.reason });
    },
    onCommitted() {
      if (!spell) return;
      const seconds = Math.round((clock.monotonic() - spell.since) / 1000);
      log.warn("storing works again", { seconds, refused: spell.rejected });
      spell = undefined;
    },
    getFailureCount: () => failures,
    getProblem: () => spell && `nothing can be stored: ${spell.reason}`,
  };
}
