import { type Measurement, type Metric, type Probe, samplesBy, toMeasurement } from "@parley/core";
import type { OpenDatabase } from "./database.ts";
import { getFreeBytes, type WriteWatch } from "./write-watch.ts";

const FREE_SPACE_ADVICE = "Free up disk space: remove old backups and logs, or move the folder to a larger disk.";

const MESSAGES_METRIC: Metric = {
  name: "parley_storage_messages_total",
  help: "Messages to the threads of the storage.",
  kind: "counter",
};
const SIZE_METRIC: Metric = {
  name: "parley_database_bytes",
  help: "Size of the databases on disk.",
  kind: "gauge",
  scope: "installation",
  labels: ["file"],
};
const WAITING_METRIC: Metric = {
  name: "parley_database_writes_waiting",
  help: "Writes that wait for a commit.",
  kind: "gauge",
};
const FAILURES_METRIC: Metric = {
  name: "storage_write_failures_total",
  help: "Commits that the disk or the database refused since the start.",
  kind: "counter",
  alerts: [
    {
      name: "WritesFail",
      severity: "critical",
      growthMinutes: 5,
      above: 0,
      says: "The disk or the database rejects writes.",
      advice: "Free up disk space, or give the folder back to the user of the service.",
    },
  ],
};
const FREE_BYTES_METRIC: Metric = {
  name: "storage_disk_free_bytes",
  help: "Free space on the disk of the data folder.",
  kind: "gauge",
  alerts: [
    {
      name: "DiskNearlyFull",
      severity: "warning",
      below: 1024 ** 3,
      forMinutes: 5,
      says: "Less than 1 GiB is free on the disk of the data folder.",
      advice: FREE_SPACE_ADVICE,
    },
    {
      name: "DiskFull",
      severity: "critical",
      below: 100 * 1024 ** 2,
      says: "Less than 100 MiB are free on the disk of the data folder.",
      advice: FREE_SPACE_ADVICE,
    },
  ],
};

export interface StorageProbeDeps {
  readonly data: string;
  readonly watch: WriteWatch;
  /** Open databases by file. */
  readonly open: ReadonlyMap<string, Promise<OpenDatabase>>;
  /** Returns the number of messages to the reading thread. */
  readonly getMessageCount: () => number;
}

/** Reports the state of the storage. */
export function createStorageProbe({ data, watch, open, getMessageCount }: StorageProbeDeps): Probe {
  return {
    id: "storage",
    metrics: [MESSAGES_METRIC, SIZE_METRIC, WAITING_METRIC, FAILURES_METRIC, FREE_BYTES_METRIC],
    async health() {
      const trouble = watch.getProblem();
      return trouble === undefined ? { status: "ok", detail: "" } : { status: "degraded", detail: trouble };
    },
    async measure(): Promise<readonly Measurement[]> {
      const databases = await Promise.all(
        [...open].map(async ([file, opened]) => {
          const database = await opened;
          return { name: file.split("/").at(-1) ?? file, database, size: await database.size() };
        }),
      );
      const waiting = databases.reduce((sum, { database }) => sum + database.getPendingCount(), 0);
      const messages = databases.reduce((sum, { database }) => sum + database.getMessageCount(), getMessageCount());
      const free = getFreeBytes(data);
      return [
        toMeasurement(MESSAGES_METRIC, messages),
        toMeasurement(
          SIZE_METRIC,
          samplesBy(
            "file",
            databases.map(({ name, size }) => [name, size] as const),
          ),
        ),
        toMeasurement(WAITING_METRIC, waiting),
        toMeasurement(FAILURES_METRIC, watch.getFailureCount()),
        toMeasurement(FREE_BYTES_METRIC, free === undefined ? [] : [{ value: free }]),
      ];
    },
  };
}
