import type { LocalizedError } from "@parley/core";
import { api, type Listed, parley, query, type Shapes } from "../../shared/api/client.ts";

export type JobStatus = "waiting" | "running" | "done" | "dead" | "canceled";

interface LocalizedTitles {
  readonly en: string;
  readonly zh: string;
}

export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly titles: LocalizedTitles | null;
  readonly status: JobStatus;
  readonly key: string | null;
  readonly failures: number;
  readonly progress: number | null;
  readonly progress_text: string;
  readonly error: LocalizedError | null;
  readonly run_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly schedule_id: string | null;
  readonly trace_id: string | null;
  /** True when its secrets are gone and the job cannot run again. */
  readonly secrets_gone: boolean;
}

export interface JobDetail extends Job {
  readonly payload: unknown;
  readonly logs: readonly { readonly at: string; readonly text: string; readonly detail?: LocalizedError["detail"] }[];
  readonly steps: readonly { readonly name: string; readonly state: "started" | "done" }[];
}

export interface Schedule {
  readonly id: string;
  readonly kind: string;
  readonly titles: LocalizedTitles | null;
  readonly cron: string | null;
  readonly every_ms: number | null;
  readonly at: string | null;
  readonly timezone: string | null;
  readonly enabled: boolean;
  readonly next_run: string | null;
  readonly next_runs: readonly string[];
  readonly last_run: string | null;
  readonly last_job: { readonly id: string; readonly status: JobStatus } | null;
  readonly skipped_count: number;
}

export interface JobQuery {
  readonly status: JobStatus | undefined;
  readonly q: string;
  readonly limit: number;
}

const at = (id: string) => `/api/jobs/${encodeURIComponent(id)}`;
const schedulePath = (id: string) => `/api/schedules/${encodeURIComponent(id)}`;

export const jobs = {
  list: (asked: JobQuery) => api.get<Listed<Job>>(`/api/jobs?${query({ ...asked })}`),
  get: (id: string) => api.get<JobDetail>(at(id)),
  retry: (id: string, confirm: boolean) => api.post<Job>(`${at(id)}/retry`, { confirm }),
  cancel: (id: string) => api.post<Job>(`${at(id)}/cancel`),
  schedules: (limit: number) => api.get<Listed<Schedule>>(`/api/schedules?${query({ limit })}`),
  run: (id: string) => api.post(`${schedulePath(id)}/run`),
  toggle: (id: string, enabled: boolean) => api.post<Schedule>(`${schedulePath(id)}/toggle`, { enabled }),
};

export type Backup = Shapes["Backup"];

export const backups = {
  list: () => parley.get("/api/backups", { query: { limit: 500 } }),
  check: (id: string) => parley.post("/api/backups/{backup_id}/check", { path: { backup_id: id } }),
  archiveUrl: (id: string) => `/api/backups/${encodeURIComponent(id)}/download`,
  remove: (id: string) => parley.delete("/api/backups/{backup_id}", { path: { backup_id: id } }),
};

/** The localized title of a job; its kind where the plugin is disabled. */
export function toTitle({ kind, titles }: Pick<Job, "kind" | "titles">, language: string): string {
  return titles?.[language.startsWith("zh") ? "zh" : "en"] ?? kind;
}
