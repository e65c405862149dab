import type { ItemFailure } from "../../error-texts.ts";
import type { LocalizedError } from "../../errors.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { List, Page } from "../../http/list.ts";
import type { Effect } from "../../points/turn/turn-stage.ts";

/** States of jobs. */
export const JOB_STATUSES = ["waiting", "running", "done", "dead", "canceled"] as const;
/** State of a job. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Due time and deduplication key of a job. */
export interface JobOptions {
  /** Deduplication key: jobs of one kind and key are one job for as long as its record is stored. */
  readonly key?: string;
  /**
   * True to move the job with the key: while it waits it takes over this time and payload. One that runs or has ended
   * loses the key, and a new job is added.
   */
  readonly replacesWaiting?: boolean;
  /** Due time in milliseconds since the epoch. Default: now. */
  readonly runAt?: number;
  /** Priority from -100 to 100; higher runs first. Default 0. */
  readonly priority?: number;
  /** Trace of the message that requested it. */
  readonly traceId?: string;
}

/** A job as listed. */
export interface Job {
  readonly id: string;
  readonly kind: string;
  /** Titles of its kind; null when the kind's plugin is off. */
  readonly titles: { readonly en: string; readonly zh: string } | null;
  readonly status: JobStatus;
  readonly key: string | null;
  readonly priority: number;
  /** Count of failed attempts since it was added or run again by hand. */
  readonly failures: number;
  /** Progress from 0 to 1; null when none was reported. */
  readonly progress: number | null;
  readonly progress_text: string;
  /** Last error of the job. */
  readonly error: LocalizedError | null;
  /** Due time. */
  readonly run_at: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly schedule_id: string | null;
  readonly trace_id: string | null;
  /** True when the job ended and its secrets were deleted, so it cannot run again. */
  readonly secrets_gone: boolean;
}

/** A job with its payload, log and steps. */
export interface JobDetail extends Job {
  /** Payload with its secrets masked. */
  readonly payload: unknown;
  /** Log lines, oldest first. */
  readonly logs: readonly { readonly at: string; readonly text: string; readonly detail?: ItemFailure["detail"] }[];
  /** Steps with a side effect. `started` has an unknown outcome unless the job runs. */
  readonly steps: readonly { readonly name: string; readonly state: "started" | "done" }[];
}

/** Filter for jobs. */
export interface JobQuery extends Page {
  readonly kind?: string;
  readonly status?: JobStatus;
  /** Text contained in the id, the kind, the key or the error. */
  readonly q?: string;
}

/** Durable work outside a turn: stored before it is acknowledged, run once per key, retried, safe across crashes. */
export interface Jobs {
  /**
   * Adds a job; resolves when it is stored, not when it is done. `isNew` is false when a job with its key exists. Rejects with `bad_request`
   * for an unknown kind, an invalid payload, key or time; `too_large` over 64 KiB; `unavailable` when too many jobs of the kind wait.
   */
  add(
    kind: string,
    payload: unknown,
    options?: JobOptions,
  ): Promise<{ readonly jobId: string; readonly isNew: boolean }>;
  /** Adds a job as part of another transaction: a turn's end, a job's end. Throws the same errors as `add`. */
  effect(kind: string, payload: unknown, options?: JobOptions): Effect;
  /** Cancels a waiting job, discards a dead one, and aborts the signal of a running one. Rejects with `conflict` when the job has ended. */
  cancel(jobId: string): Promise<Job>;
  /**
   * Runs a dead or cancelled job again, or a waiting one now. Completed steps are not repeated. `confirmation_required`
   * when a step may have happened, unless `isConfirmed`: then that step is repeated. `conflict` when the job runs or is
   * done, and when it has ended and its kind has secrets.
   */
  retry(jobId: string, isConfirmed?: boolean): Promise<Job>;
  get(jobId: string): Promise<JobDetail>;
  /** Lists jobs, newest first; when waiting ones are requested, by due time. */
  list(query: JobQuery): Promise<List<Job>>;
}
export const Jobs: ServiceKey<Jobs> = serviceKey("jobs");
