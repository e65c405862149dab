import type { Clock, Logger } from "@parley/core";
import { reasonOf } from "./failures.ts";

/** Tells when the bucket begins to fail and when it works again, once each. */
export interface Watch {
  failed(error: unknown): void;
  worked(): void;
  failures(): number;
  /** What is wrong now; undefined when all is well. */
  trouble(): string | undefined;
}

export function createWatch({ clock, log }: { readonly clock: Clock; readonly log: Logger }): Watch {
  let spell: { readonly since: number; readonly reason: string } | undefined;
  let failures = 0;
  return {
    failed(error) {
      failures += 1;
      if (spell) return;
      spell = { since: clock.monotonic(), reason: reasonOf(error) };
      log.warn(`files cannot be stored or read: ${spell.reason}`);
    },
    worked() {
      if (!spell) return;
      log.warn("files can be stored and read again", { seconds: Math.round((clock.monotonic() - spell.since) / 1000) });
      spell = undefined;
    },
    failures: () => failures,
    trouble: () => spell?.reason,
  };
}
