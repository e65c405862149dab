import { type Metric, measured, type Probe } from "@parley/core";
import type { Bucket } from "./bucket.ts";
import type { Watch } from "./watch.ts";

const FAILURES: Metric = {
  name: "parley_bucket_failures_total",
  help: "Requests that the bucket of the files did not answer as it should since the start.",
  kind: "counter",
  alerts: [
    {
      name: "FilesFail",
      severity: "critical",
      growthMinutes: 5,
      above: 0,
      says: "The bucket of the files does not answer as it should.",
      advice: "Look at the server of the bucket, at the way to it, and at the rights of the key.",
    },
  ],
};

/** Where files lie, and whether they can be had. */
export function bucketProbe({ place }: Pick<Bucket, "place">, watch: Watch): Probe {
  return {
    id: "s3",
    metrics: [FAILURES],
    async health() {
      const trouble = await watch.trouble();
      return trouble === undefined
        ? { status: "ok", detail: place }
        : { status: "degraded", detail: `${place}: ${trouble}` };
    },
    async measure() {
      return [measured(FAILURES, watch.failures())];
    },
  };
}
