import { type Metric, type Probe, toMeasurement } from "@parley/core";
import type { Writer } from "./connection/writer.ts";
import type { OpenServer } from "./open-server.ts";
import type { WriteWatch } from "./write-watch.ts";

const MESSAGES_METRIC: Metric = {
  name: "parley_storage_messages_total",
  help: "Commits and transactions.",
  kind: "counter",
};
const SIZE_METRIC: Metric = {
  name: "parley_database_bytes",
  help: "Size of the database on the server.",
  kind: "gauge",
};
const WAITING_METRIC: Metric = {
  name: "parley_database_writes_waiting",
  help: "Writes that wait for a commit.",
  kind: "gauge",
  scope: "installation",
};
const FAILURES_METRIC: Metric = {
  name: "storage_write_failures_total",
  help: "Commits that the server or the way to it refused since the start.",
  kind: "counter",
  alerts: [
    {
      name: "WritesFail",
      severity: "critical",
      growthMinutes: 5,
      above: 0,
      says: "The database rejects writes.",
      advice: "Check the PostgreSQL server, the free space on its disk, and the connection to it.",
    },
  ],
};

/** Reports the state of the database. */
export function createStorageProbe(watch: WriteWatch, open: () => OpenServer | undefined): Probe {
  return {
    id: "storage",
    metrics: [MESSAGES_METRIC, SIZE_METRIC, WAITING_METRIC, FAILURES_METRIC],
    async health() {
      const trouble = watch.getProblem();
      if (trouble !== undefined) return { status: "degraded", detail: trouble };
      const { version } = open() ?? {};
      return { status: "ok", detail: version ? `PostgreSQL ${version}` : "" };
    },
    async measure() {
      const { main, writers = [] } = open() ?? {};
      const size = await main?.size();
      const sum = (of: (writer: Writer) => number) => writers.reduce((all, one) => all + of(one), 0);
      return [
        toMeasurement(
          MESSAGES_METRIC,
          sum((writer) => writer.getCommitCount()),
        ),
        toMeasurement(SIZE_METRIC, size === undefined ? [] : [{ value: size }]),
        toMeasurement(
          WAITING_METRIC,
          sum((writer) => writer.getPendingCount()),
        ),
        toMeasurement(FAILURES_METRIC, watch.getFailureCount()),
      ];
    },
  };
}
