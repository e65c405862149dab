import { parley, type Shapes } from "../../shared/api/client.ts";
import type { Page } from "../../shared/api/list-pages.ts";
import { localize } from "../../shared/i18n/localize.ts";

export type Job = Shapes["Job"];
export type JobDetail = Shapes["JobDetail"];
export type JobStatus = Job["status"];
export type Schedule = Shapes["Schedule"];

interface JobQuery extends Page {
  readonly status: JobStatus | undefined;
  readonly q: string;
}

const JOB_PATH = "/api/jobs/{job_id}";
const SCHEDULE_PATH = "/api/schedules/{schedule_id}";

export const jobs = {
  list: ({ status, q, ...page }: JobQuery) =>
    parley.get("/api/jobs", { query: { ...page, ...(status && { status }), ...(q && { q }) } }),
  get: (job_id: string) => parley.get(JOB_PATH, { path: { job_id } }),
  retry: (job_id: string, confirm: boolean) =>
    parley.post(`${JOB_PATH}/retry`, { path: { job_id }, body: { confirm } }),
  cancel: (job_id: string) => parley.post(`${JOB_PATH}/cancel`, { path: { job_id }, body: {} }),
  listSchedules: (page: Page) => parley.get("/api/schedules", { query: page }),
  runSchedule: (schedule_id: string) => parley.post(`${SCHEDULE_PATH}/run`, { path: { schedule_id }, body: {} }),
  setScheduleEnabled: (schedule_id: string, enabled: boolean) =>
    parley.post(`${SCHEDULE_PATH}/toggle`, { path: { schedule_id }, body: { enabled } }),
};

export type Backup = Shapes["Backup"];

export const backups = {
  list: (page: Page) => parley.get("/api/backups", { query: page }),
  check: (id: string) => parley.post("/api/backups/{backup_id}/check", { path: { backup_id: id } }),
  toArchiveUrl: (id: string) => `/api/backups/${encodeURIComponent(id)}/download`,
  remove: (id: string) => parley.delete("/api/backups/{backup_id}", { path: { backup_id: id } }),
};

/** Returns the localized title of a job; its kind when the plugin is off. */
export function toTitle({ kind, titles }: Pick<Job, "kind" | "titles">, language: string): string {
  return titles ? localize(titles, language) : kind;
}
