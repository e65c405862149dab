import type { Clock, Logger } from "@parley/core";
import { reasonOf } from "./failures.ts";
import type { CommitWatch } from "./writer.ts";

/** Tells when commits begin to fail and when they work again, once each. */
export interface WriteWatch extends CommitWatch {
  /** Those since the start. */
  failures(): number;
  /** What is wrong now, in a sentence; undefined when all is well. */
  trouble(): string | undefined;
}

interface Spell {
  readonly since: number;
  readonly reason: string;
  refused: number;
}

export function createWriteWatch({ clock, log }: { readonly clock: Clock; readonly log: Logger }): WriteWatch {
  let spell: Spell | undefined;
  let failures = 0;
  return {
    failed(error) {
      failures += 1;
      if (spell) {
        spell.refused += 1;
        return;
      }
      spell = { since: clock.monotonic(), reason: reasonOf(error), refused: 1 };
      log.warn(`nothing can be stored: ${spell.reason}`);
    },
    worked() {
      if (!spell) return;
      const seconds = Math.round((clock.monotonic() - spell.since) / 1000);
      log.warn("storing works again", { seconds, refused: spell.refused });
      spell = undefined;
    },
    failures: () => failures,
    trouble: () => spell && `nothing can be stored: ${spell.reason}`,
  };
}
