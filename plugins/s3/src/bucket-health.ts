import type { Clock, Logger } from "@parley/core";
import { BucketError, toReason } from "./errors.ts";

const REACH_TIMEOUT_MS = 1_000;

/** Reports when the bucket starts to fail and when it works again, once each. */
export interface BucketHealth {
  onFailed(error: unknown): void;
  onSucceeded(): void;
  getFailureCount(): number;
  /** Returns the current problem; undefined for none. While the bucket is unreachable, it is checked first. */
  getProblem(): Promise<string | undefined>;
}

export interface BucketHealthDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** Rejects where the bucket cannot be reached. */
  readonly reach: (signal: AbortSignal) => Promise<void>;
}

interface Outage {
  readonly since: number;
  readonly reason: string;
  /** True when the bucket did not respond, or with a server error; a later response then means recovery. */
  readonly isUnreachable: boolean;
}

export function createBucketHealth({ clock, log, reach }: BucketHealthDeps): BucketHealth {
  let outage: Outage | undefined;
  let failures = 0;
  const onSucceeded = () => {
    if (!outage) return;
    log.warn("files can be stored and read again", { seconds: Math.round((clock.monotonic() - outage.since) / 1000) });
    outage = undefined;
  };
  return {
    onSucceeded,
    onFailed(error) {
      failures += 1;
      if (outage) return;
      const isUnreachable = !(error instanceof BucketError) || error.status >= 500;
      outage = { since: clock.monotonic(), reason: toReason(error), isUnreachable };
      log.warn("files cannot be stored or read", { reason: outage.reason });
    },
    getFailureCount: () => failures,
    async getProblem() {
      // A failed check changes nothing: the outage continues.
      if (outage?.isUnreachable) await reach(AbortSignal.timeout(REACH_TIMEOUT_MS)).then(onSucceeded, () => undefined);
      return outage?.reason;
    },
  };
}
