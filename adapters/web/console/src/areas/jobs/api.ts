import { parley, type Shapes } from "../../shared/api/client.ts";
import { localize } from "../../shared/i18n/localize.ts";

export type Job = Shapes["Job"];
export type JobDetail = Shapes["JobDetail"];
export type JobStatus = Job["status"];
export type Schedule = Shapes["Schedule"];

interface JobQuery {
  readonly status: JobStatus | undefined;
  readonly q: string;
  readonly limit: number;
}

const JOB_PATH = "/api/jobs/{job_id}";
const SCHEDULE_PATH = "/api/schedules/{schedule_id}";

export const jobs = {
  list: ({ status, q, limit }: JobQuery) =>
    parley.get("/api/jobs", { query: { limit, ...(status && { status }), ...(q && { q }) } }),
  get: (job_id: string) => parley.get(JOB_PATH, { path: { job_id } }),
  retry: (job_id: string, confirm: boolean) =>
    parley.post(`${JOB_PATH}/retry`, { path: { job_id }, body: { confirm } }),
  cancel: (job_id: string) => parley.post(`${JOB_PATH}/cancel`, { path: { job_id }, body: {} }),
  listSchedules: (limit: number) => parley.get("/api/schedules", { query: { limit } }),
  runSchedule: (schedule_id: string) => parley.post(`${SCHEDULE_PATH}/run`, { path: { schedule_id }, body: {} }),
  setScheduleEnabled: (schedule_id: string, enabled: boolean) =>
    parley.post(`${SCHEDULE_PATH}/toggle`, { path: { schedule_id }, body: { enabled } }),
};

export type Backup = Shapes["Backup"];

export const backups = {
  list: () => parley.get("/api/backups", { query: { limit: 500 } }),
  check: (id: string) => parley.post("/api/backups/{backup_id}/check", { path: { backup_id: id } }),
  toArchiveUrl: (id: string) => `/api/backups/${encodeURIComponent(id)}/download`,
  remove: (id: string) => parley.delete("/api/backups/{backup_id}", { path: { backup_id: id } }),
};

/** Returns the localized title of a job; its kind when the plugin is off. */
export function toTitle({ kind, titles }: Pick<Job, "kind" | "titles">, language: string): string {
  return titles ? localize(titles, language) : kind;
}
