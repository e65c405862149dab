import { ApiError, parley, type Shapes } from "../../shared/api/client.ts";
import type { Page } from "../../shared/api/list-pages.ts";
import { findSchedule } from "../../shared/api/schedules.ts";

export type UsageSum = Shapes["UsageSum"];
export type LogLine = Shapes["LogLine"];
/** Messages over time: one value for each label, the current one last. */
export type MessageSeries = Shapes["MessageSeries"];
export type Period = MessageSeries["period"];
/** The system status with all fields, which a signed-in client gets. */
export type SystemStatus = Required<Shapes["StartStatus"]>;

export const system = {
  async getStatus(): Promise<SystemStatus> {
    const status = await parley.get("/api/startup-status");
    if (!hasDetails(status)) throw new ApiError({ code: "unauthorized", message: "sign in first", status: 401 });
    return status;
  },
  /** Returns the schedule of the update check; null where none exists. */
  getUpdateSchedule: () => findSchedule("operations.updates"),
  getMachine: () => parley.get("/api/system/machine"),
  getStatistics: () => parley.get("/api/stats"),
  getMessageSeries: (period: Period) => parley.get("/api/stats/messages", { query: { period } }),
  getUsage: () => parley.get("/api/tokens", { query: { date_range: "30d" } }),
  countLinesBefore: async (until: string) => {
    const { total } = await parley.get("/api/logs", { query: { min_level: "debug", until, limit: 1 } });
    return total;
  },
  clearLogs: (before: string) => parley.delete("/api/logs", { query: { before } }),
  /** Deletes log files older than some days; a dry run only counts them. */
  cleanUpFiles: (older_than_days: number, dry_run: boolean) =>
    parley.post("/api/logs/cleanup", { body: { older_than_days, dry_run } }),
  listLogs: (query: LogQuery & Pick<Page, "limit"> & Partial<Page>) => parley.get("/api/logs", { query }),
};
export interface LogQuery {
  readonly min_level: LogLine["level"];
  readonly source?: string;
  readonly q?: string;
  readonly since?: string;
  readonly until?: string;
}

/** True for the full status; a client that is not signed in gets only the phase. */
function hasDetails(status: Shapes["StartStatus"]): status is SystemStatus {
  return status.components !== undefined && status.packages !== undefined;
}
