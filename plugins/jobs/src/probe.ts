import { type Metric, type Probe, samplesBy, toMeasurement } from "@parley/core";
import type { JobCounts, KindCounts } from "./store/job-counts.ts";

const WAITING_METRIC: Metric = {
  name: "parley_jobs_waiting",
  help: "Jobs that wait for their time or for a place.",
  kind: "gauge",
  scope: "installation",
  labels: ["kind"],
};
const RUNNING_METRIC: Metric = {
  name: "parley_jobs_running",
  help: "Running jobs.",
  kind: "gauge",
  scope: "installation",
  labels: ["kind"],
};
const DEAD_METRIC: Metric = {
  name: "parley_jobs_dead",
  help: "Dead-lettered jobs.",
  kind: "gauge",
  scope: "installation",
  labels: ["kind"],
  alerts: [
    {
      name: "JobsDead",
      severity: "warning",
      above: 0,
      says: "Jobs failed for good and wait for a decision.",
      advice: "Console → Jobs: check the failure, then retry or delete the jobs.",
    },
  ],
};
const OVERDUE_METRIC: Metric = {
  name: "parley_jobs_overdue_seconds",
  help: "Delay of the job that is overdue for the longest time.",
  kind: "gauge",
  scope: "installation",
  alerts: [
    {
      name: "JobsOverdue",
      severity: "warning",
      above: 900,
      forMinutes: 5,
      says: "A job has been waiting for a free slot for more than 15 minutes.",
      advice: "Console → Jobs: check the running jobs; raise [plugin.jobs] concurrency if they are fine.",
    },
  ],
};

export interface JobsProbeDeps {
  readonly counts: JobCounts;
  readonly getStorageError: () => string | undefined;
  /** Returns the delay of the longest overdue job in milliseconds; 0 when there is none. */
  readonly getOverdueMs: () => Promise<number>;
}

/** Creates the jobs' health and metrics. */
export function createJobsProbe({ counts, getStorageError, getOverdueMs }: JobsProbeDeps): Probe {
  const total = (field: keyof KindCounts) => [...counts.all().values()].reduce((sum, kind) => sum + kind[field], 0);
  const byKind = (metric: Metric, field: keyof KindCounts) =>
    toMeasurement(
      metric,
      samplesBy(
        "kind",
        [...counts.all()].map(([kind, count]) => [kind, count[field]] as const),
      ),
    );
  return {
    id: "jobs",
    metrics: [WAITING_METRIC, RUNNING_METRIC, DEAD_METRIC, OVERDUE_METRIC],
    async health() {
      const storageError = getStorageError();
      if (storageError !== undefined) return { status: "degraded", detail: `jobs do not run: ${storageError}` };
      return { status: "ok", detail: `${total("waiting")} wait, ${total("running")} run, ${total("dead")} are dead` };
    },
    measure: async () => [
      byKind(WAITING_METRIC, "waiting"),
      byKind(RUNNING_METRIC, "running"),
      byKind(DEAD_METRIC, "dead"),
      toMeasurement(OVERDUE_METRIC, (await getOverdueMs()) / 1000),
    ],
  };
}
