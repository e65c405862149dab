import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { List, Page } from "../../http/list.ts";
import type { JobStatus } from "./jobs.ts";

/** Time of a schedule: one of `cron`, `everyMs` and `at`. */
export interface Timing {
  /**
   * Five fields `minute hour day month weekday`: lists, ranges, steps, names, 0 and 7 for Sunday; when day and weekday are both set
   * either matches. A local time skipped by daylight saving is due right after; a repeated one is due once.
   */
  readonly cron?: string;
  /** Interval, counted from the last planned start; the first start is one interval from now. From 1 s to 366 days. */
  readonly everyMs?: number;
  /** Time of a single run, in milliseconds since the epoch. */
  readonly at?: number;
  /** IANA name, for `cron`. Default: the setting `timezone`, also when that changes. */
  readonly timezone?: string;
}

/** A job to add at planned times. */
export interface ScheduleDraft extends Timing {
  /** Up to 100 characters without blanks: `<plugin>.<what>`. */
  readonly id: string;
  /** Kind of the job that each planned time adds. */
  readonly kind: string;
  readonly payload: unknown;
  /** Default: unchanged for an existing schedule, enabled for a new one. */
  readonly enabled?: boolean;
  /** A missed start is made up once if it was due within this time; others are skipped. Default 300 s. */
  readonly madeUpWithinMs?: number;
}

/** A schedule with its state. */
export interface Schedule {
  readonly id: string;
  readonly kind: string;
  /** Titles of its kind; null when the kind's plugin is off. */
  readonly titles: { readonly en: string; readonly zh: string } | null;
  readonly cron: string | null;
  readonly every_ms: number | null;
  readonly at: string | null;
  /** Null for the setting `timezone`. */
  readonly timezone: string | null;
  readonly enabled: boolean;
  readonly made_up_within_ms: number;
  /** Null while it is disabled or has no further time. */
  readonly next_run: string | null;
  /** Time of the last run that the schedule started. */
  readonly last_run: string | null;
  readonly last_job: { readonly id: string; readonly status: JobStatus } | null;
  readonly run_count: number;
  /** Number of skipped starts: the previous run had not ended, or the service was down for too long. */
  readonly skipped_count: number;
}

/** Jobs at planned times: one job per time over all processes, and one at a time per schedule. */
export interface Schedules {
  /**
   * Adds or replaces a schedule. An unchanged timing keeps its next time, so plugins may call it at each start. Rejects with
   * `bad_request` for a timing that is invalid, past or never due, an unknown kind or an invalid payload.
   */
  put(schedule: ScheduleDraft): Promise<Schedule>;
  /** Removes a schedule; returns false when there is none. Its current run continues. */
  remove(id: string): Promise<boolean>;
  /** Enables or disables a schedule; `bad_request` when its only time has passed. */
  setEnabled(id: string, isEnabled: boolean): Promise<Schedule>;
  /** Starts one run now; the next planned time is unchanged. Rejects with `conflict` while a run of it waits or runs. */
  run(id: string): Promise<{ readonly jobId: string }>;
  get(id: string): Promise<Schedule>;
  /** Returns the existing schedules of these ids, by id. */
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, Schedule>>;
  list(page: Page): Promise<List<Schedule>>;
  /** Returns the next planned times, at most 50, in milliseconds since the epoch; with `untilMs` those until then, at most 2,100. */
  preview(timing: Timing, count: number, untilMs?: number): readonly number[];
}
export const Schedules: ServiceKey<Schedules> = serviceKey("schedules");
