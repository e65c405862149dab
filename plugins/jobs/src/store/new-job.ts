import { fixedStatement, type Write } from "@parley/core";
import { ADD_JOB, MOVE_JOB, RELEASE_KEY } from "./job-sql.ts";
import type { JobState } from "./tables.ts";

export interface NewJob {
  readonly id: string;
  readonly kind: string;
  readonly key: string | undefined;
  /** True to change the waiting job with the key instead of adding another. */
  readonly replacesWaiting?: boolean | undefined;
  readonly priority: number;
  readonly dueMs: number;
  /** The payload as JSON. */
  readonly payload: string;
  /** Payload stored after the job ends. Default: the whole payload. */
  readonly safePayload?: string | undefined;
  readonly scheduleId?: string | undefined;
  readonly traceId?: string | undefined;
}

/** Returns the write that stores a job unless one with its key exists. */
export function toAddWrite(job: NewJob, nowMs: number): Write {
  const { id, kind, key = null, priority, dueMs, payload, safePayload = null, scheduleId = null, traceId = null } = job;
  const values = [id, kind, key, toIdleState(job, nowMs), priority, dueMs, payload, safePayload, scheduleId, traceId];
  return { query: fixedStatement(ADD_JOB, [...values, nowMs]) };
}

/** Returns the writes that store a job, or move the waiting one with its key. */
export function toAddWrites(job: NewJob, nowMs: number): readonly Write[] {
  const { kind, key, dueMs, payload, safePayload = null, traceId = null, replacesWaiting } = job;
  if (key === undefined || replacesWaiting !== true) return [toAddWrite(job, nowMs)];
  const values = [toIdleState(job, nowMs), dueMs, payload, safePayload, traceId];
  return [
    { query: fixedStatement(RELEASE_KEY, [kind, key]) },
    { query: fixedStatement(MOVE_JOB, [...values, kind, key]) },
    toAddWrite(job, nowMs),
  ];
}

function toIdleState({ dueMs }: NewJob, nowMs: number): JobState {
  return dueMs > nowMs ? "later" : "waiting";
}
