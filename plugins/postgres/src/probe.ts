import { type Metric, measured, type Probe } from "@parley/core";
import type { Open } from "./storage.ts";
import type { WriteWatch } from "./write-watch.ts";
import type { Writer } from "./writer.ts";

const ASKED: Metric = { name: "parley_storage_messages_total", help: "Commits and transactions.", kind: "counter" };
const SIZE: Metric = { name: "parley_database_bytes", help: "Size of the database on the server.", kind: "gauge" };
const WAITING: Metric = {
  name: "parley_database_writes_waiting",
  help: "Writes that wait for a commit.",
  kind: "gauge",
  scope: "installation",
};
const FAILURES: Metric = {
  name: "storage_write_failures_total",
  help: "Commits that the server or the way to it refused since the start.",
  kind: "counter",
  alerts: [
    {
      name: "WritesFail",
      severity: "critical",
      growthMinutes: 5,
      above: 0,
      says: "The database refuses to store what comes in.",
      advice: "Look at the PostgreSQL server, at the room on its disk, and at the way to it.",
    },
  ],
};

/** What the database says of itself. */
export function storageProbe(watch: WriteWatch, open: () => Open | undefined): Probe {
  return {
    id: "storage",
    metrics: [ASKED, SIZE, WAITING, FAILURES],
    async health() {
      const trouble = watch.trouble();
      if (trouble !== undefined) return { status: "degraded", detail: trouble };
      const { version } = open() ?? {};
      return { status: "ok", detail: version ? `PostgreSQL ${version}` : "" };
    },
    async measure() {
      const { main, writers = [] } = open() ?? {};
      const size = await main?.size();
      const sum = (of: (writer: Writer) => number) => writers.reduce((all, one) => all + of(one), 0);
      return [
        measured(
          ASKED,
          sum((writer) => writer.asked()),
        ),
        measured(SIZE, size === undefined ? [] : [{ value: size }]),
        measured(
          WAITING,
          sum((writer) => writer.waiting()),
        ),
        measured(FAILURES, watch.failures()),
      ];
    },
  };
}
