import {
  contains,
  type Database,
  type Job,
  type JobDetail,
  type JobQuery,
  type JobStatus,
  type LocalizedError,
  notFound,
  type Redaction,
} from "@parley/core";
import { type List, mapItems } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import type { JobKindRegistry } from "../run/job-kinds.ts";
import type { CountRow } from "./job-counts.ts";
import type { JobState, JobTable, Tables } from "./tables.ts";

const STATES_BY_STATUS: Readonly<Record<JobStatus, readonly JobState[]>> = {
  waiting: ["later", "waiting"],
  running: ["running"],
  done: ["done"],
  dead: ["dead"],
  canceled: ["canceled"],
};

const FINISHED_STATES: ReadonlySet<JobState> = new Set(["done", "dead", "canceled"]);

/** Jobs for clients. */
export interface JobViews {
  get(jobId: string): Promise<JobDetail>;
  list(query: JobQuery): Promise<List<Job>>;
  counts(): Promise<readonly CountRow[]>;
  /** Returns the earliest due time among waiting jobs. */
  findFirstDueMs(): Promise<number | undefined>;
}

export interface JobViewsDeps {
  readonly database: () => Database;
  readonly kinds: JobKindRegistry;
  readonly redaction: Redaction;
}

export function createJobViews({ database, kinds, redaction }: JobViewsDeps): JobViews {
  const tables = () => database().tables<Tables>();
  const toJob = (row: Omit<JobTable, "payload">): Job => ({
    id: row.id,
    kind: row.kind,
    titles: kinds.find(row.kind)?.titles ?? null,
    status: toStatus(row.state),
    key: row.job_key,
    priority: row.priority,
    failures: row.failures,
    progress: row.progress === null ? null : row.progress / 1_000,
    progress_text: row.progress_text,
    error: toFailure(row),
    run_at: toIsoTime(row.due_ms),
    created_at: toIsoTime(row.created_ms),
    started_at: row.started_ms === null ? null : toIsoTime(row.started_ms),
    finished_at: row.finished_ms === null ? null : toIsoTime(row.finished_ms),
    schedule_id: row.schedule_id,
    trace_id: row.trace_id,
    secrets_gone: kinds.find(row.kind)?.secrets !== undefined && FINISHED_STATES.has(row.state),
  });
  return {
    async get(jobId) {
      const row = await tables().selectFrom("jobs").selectAll().where("id", "=", jobId).executeTakeFirst();
      if (!row) throw notFound("job", jobId);
      const [logs, steps] = await Promise.all([
        tables().selectFrom("job_logs").selectAll().where("job_id", "=", jobId).orderBy("line").execute(),
        tables()
          .selectFrom("job_steps")
          .select(["name", "state"])
          .where("job_id", "=", jobId)
          .orderBy("started_ms")
          .orderBy("name")
          .execute(),
      ]);
      return {
        ...toJob(row),
        payload: redaction.mask(JSON.parse(row.payload)),
        logs: logs.map(({ at_ms, text, told }) => ({
          at: toIsoTime(at_ms),
          text,
          ...(told !== null && { detail: JSON.parse(told) }),
        })),
        steps,
      };
    },
    async findFirstDueMs() {
      const first = (state: JobState) =>
        tables()
          .selectFrom("jobs")
          .select(({ fn }) => fn.min("due_ms").as("due_ms"))
          .where("state", "=", state)
          .executeTakeFirst();
      const found = await Promise.all([first("later"), first("waiting")]);
      const times = found.flatMap((row) => (row?.due_ms == null ? [] : [Number(row.due_ms)]));
      return times.length === 0 ? undefined : Math.min(...times);
    },
    async list({ kind, status, q, ...asked }) {
      let rows = tables().selectFrom("jobs");
      if (kind !== undefined) rows = rows.where("kind", "=", kind);
      if (status !== undefined) rows = rows.where("state", "in", STATES_BY_STATUS[status]);
      if (q !== undefined) {
        const words = ["id", "kind", "job_key", "error"].map((column) => contains(column, q));
        rows = rows.where((row) => row.or(words));
      }
      const page = await readPage(rows, asked, (all) => {
        const ordered = status === "waiting" ? all.orderBy("due_ms").orderBy("id") : all.orderBy("id", "desc");
        return ordered.selectAll();
      });
      return mapItems(page, toJob);
    },
    async counts() {
      return await tables()
        .selectFrom("jobs")
        .select(["kind", "state", (select) => select.fn.countAll<number>().as("count")])
        .where("state", "in", ["later", "waiting", "running", "dead"])
        .groupBy(["kind", "state"])
        .execute();
    },
  };
}

function toFailure({ error_code: code, error, told }: Omit<JobTable, "payload">): LocalizedError | null {
  if (code === null) return null;
  const failure = JSON.parse(told ?? "null") as LocalizedError | null;
  // A process of the previous version does not write this column.
  return failure?.error === error && failure?.code === code ? failure : { code, error: error ?? "" };
}

export function toStatus(state: JobState): JobStatus {
  return state === "later" ? "waiting" : state;
}

export function toIsoTime(ms: number): string {
  return new Date(Number(ms)).toISOString();
}
