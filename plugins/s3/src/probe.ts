import { type Metric, type Probe, toMeasurement } from "@parley/core";
import type { Bucket } from "./bucket.ts";
import type { BucketHealth } from "./bucket-health.ts";

const FAILURES_METRIC: Metric = {
  name: "parley_bucket_failures_total",
  help: "Failed requests to the file bucket since the start.",
  kind: "counter",
  alerts: [
    {
      name: "FilesFail",
      severity: "critical",
      growthMinutes: 5,
      above: 0,
      says: "Requests to the file bucket fail.",
      advice: "Check the server of the bucket, the network connection to it, and the permissions of the access key.",
    },
  ],
};

/** Reports the bucket and whether it is reachable. */
export function createBucketProbe({ location }: Pick<Bucket, "location">, bucketHealth: BucketHealth): Probe {
  return {
    id: "s3",
    metrics: [FAILURES_METRIC],
    async health() {
      const problem = await bucketHealth.getProblem();
      return problem === undefined
        ? { status: "ok", detail: location }
        : { status: "degraded", detail: `${location}: ${problem}` };
    },
    async measure() {
      return [toMeasurement(FAILURES_METRIC, bucketHealth.getFailureCount())];
    },
  };
}
