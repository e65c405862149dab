import type { Check, Finding } from "@parley/core";
import type { Bucket } from "./bucket.ts";
import type { BucketHealth } from "./bucket-health.ts";
import { s3Texts } from "./texts.ts";

export interface BucketCheckDeps {
  readonly bucket: Pick<Bucket, "location">;
  readonly watch: BucketHealth;
  /** Throws when a variable with a part of the key is missing. */
  readonly readKeys: () => unknown;
  /** Throws an error that says why the bucket cannot be used. */
  readonly reach: () => Promise<void>;
}

/** Checks that files can be stored and read. */
export function createBucketCheck({ bucket: { location: place }, watch, readKeys, reach }: BucketCheckDeps): Check {
  return {
    id: "s3",
    beforeStart: () => void readKeys(),
    async run() {
      const reason = await watch.getProblem();
      return reason === undefined ? [] : [toFailingFinding(`${place} (${reason})`, { place, reason })];
    },
    async elsewhere() {
      const sentence = await reach().then(
        () => undefined,
        (error: Error) => error.message,
      );
      return sentence === undefined ? [] : [toFailingFinding(sentence, { place, reason: sentence })];
    },
  };
}

function toFailingFinding(what: string, parameters: Readonly<Record<string, string>>): Finding {
  return {
    key: "s3.failing",
    level: "problem",
    said: s3Texts.localized("finding_failing", { reason: what }),
    advice: s3Texts.localized("finding_failing_advice"),
    parameters,
  };
}
