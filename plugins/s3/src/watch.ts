import type { Clock, Logger } from "@parley/core";
import { Refused, reasonOf } from "./failures.ts";

const WITHIN_MS = 1_000;

/** Tells when the bucket begins to fail and when it works again, once each. */
export interface Watch {
  failed(error: unknown): void;
  worked(): void;
  failures(): number;
  /** What is wrong now; undefined when all is well. Where nobody came through, it is asked whether somebody would by now. */
  trouble(): Promise<string | undefined>;
}

export interface WatchParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Rejects where the bucket cannot be reached. */
  readonly reach: (signal: AbortSignal) => Promise<void>;
}

interface Spell {
  readonly since: number;
  readonly reason: string;
  /** Another answer to the same would mean that it is over. */
  readonly isUnreachable: boolean;
}

export function createWatch({ clock, log, reach }: WatchParts): Watch {
  let spell: Spell | undefined;
  let failures = 0;
  const worked = () => {
    if (!spell) return;
    log.warn("files can be stored and read again", { seconds: Math.round((clock.monotonic() - spell.since) / 1000) });
    spell = undefined;
  };
  return {
    worked,
    failed(error) {
      failures += 1;
      if (spell) return;
      const isUnreachable = !(error instanceof Refused) || error.status >= 500;
      spell = { since: clock.monotonic(), reason: reasonOf(error), isUnreachable };
      log.warn(`files cannot be stored or read: ${spell.reason}`);
    },
    failures: () => failures,
    async trouble() {
      // That it still fails is known.
      if (spell?.isUnreachable) await reach(AbortSignal.timeout(WITHIN_MS)).then(worked, () => undefined);
      return spell?.reason;
    },
  };
}
