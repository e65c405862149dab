import { type Metric, type Probe, toMeasurement } from "@parley/core";
import type { LogStore } from "./logs/log-store.ts";
import type { EditableSettings } from "./settings/settings.ts";

const ROWS_DROPPED_METRIC: Metric = {
  name: "parley_log_rows_dropped_total",
  help: "Log lines that came faster than they could be stored.",
  kind: "counter",
};

export const createLogsProbe = (logs: Pick<LogStore, "getDroppedCount">): Probe => ({
  id: "logs",
  metrics: [ROWS_DROPPED_METRIC],
  measure: async () => [toMeasurement(ROWS_DROPPED_METRIC, logs.getDroppedCount())],
});

export const createSettingsProbe = (settings: Pick<EditableSettings, "getFileError">): Probe => ({
  id: "settings",
  async health() {
    const problem = settings.getFileError();
    return problem ? { status: "degraded", detail: `settings.json: ${problem}` } : { status: "ok", detail: "" };
  },
});
