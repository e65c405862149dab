import { type Metric, type Probe, toMeasurement } from "@parley/core";
import type { Bucket } from "./bucket.ts";
import type { BucketHealth } from "./bucket-health.ts";

const FAILURES_METRIC: Metric = {
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

/** Reports the bucket and whether it is reachable. */
export function createBucketProbe({ location: place }: Pick<Bucket, "location">, watch: BucketHealth): Probe {
  return {
    id: "s3",
    metrics: [FAILURES_METRIC],
    async health() {
      const trouble = await watch.getProblem();
      return trouble === undefined
        ? { status: "ok", detail: place }
        : { status: "degraded", detail: `${place}: ${trouble}` };
    },
    async measure() {
      return [toMeasurement(FAILURES_METRIC, watch.getFailureCount())];
    },
  };
}
