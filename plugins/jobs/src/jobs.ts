import type { Clock, Job, JobDetail, JobOptions, Jobs } from "@parley/core";
import type { Dispatcher } from "./run/dispatcher.ts";
import type { FailPoint } from "./run/fail-point.ts";
import type { JobKindRegistry } from "./run/job-kinds.ts";
import type { JobCounts } from "./store/job-counts.ts";
import type { JobStore } from "./store/job-store.ts";
import type { JobViews } from "./store/job-views.ts";
import type { NewJob } from "./store/new-job.ts";
import { jobsTexts } from "./texts.ts";

const MAX_WAITING = 200_000;

export interface JobsDeps {
  readonly store: JobStore;
  readonly views: JobViews;
  readonly kinds: JobKindRegistry;
  readonly counts: JobCounts;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly failPoint: FailPoint;
  readonly onJobChanged: (jobId: string) => void;
}

export interface JobService extends Jobs {
  /** Throws when too many of a kind wait. */
  checkRoom(kind: string): void;
  /** Called when a job was stored, to count, show and run it. */
  onAdded(job: Pick<NewJob, "id" | "kind" | "dueMs">): void;
}

export function createJobs(deps: JobsDeps): JobService {
  const { store, views, kinds, counts, dispatcher, clock, failPoint, onJobChanged } = deps;
  const checkRoom = (kind: string) => {
    const most = kinds.find(kind)?.maxWaiting ?? MAX_WAITING;
    if (counts.get(kind).waiting < most) return;
    throw jobsTexts.error("unavailable", "many_wait", { kind }, { retryAfterS: 60 });
  };
  const createJob = (kind: string, payload: unknown, options: JobOptions = {}): NewJob => {
    const job = kinds.createJob(kind, payload, options, clock.now());
    checkRoom(kind);
    return job;
  };
  const added = ({ id, kind, dueMs }: Pick<NewJob, "id" | "kind" | "dueMs">, isLater = dueMs > clock.now()) => {
    counts.change(kind, undefined, "waiting");
    onJobChanged(id);
    // It may become due while it is being stored, and is then stored as a delayed job that is due.
    if (isLater) dispatcher.expectAt(dueMs);
    if (dueMs <= clock.now()) dispatcher.onJobAdded(kind);
  };
  const moved = ({ kind, dueMs }: NewJob, jobId?: string) => {
    if (jobId !== undefined) onJobChanged(jobId);
    dispatcher.expectAt(dueMs);
    if (dueMs <= clock.now()) dispatcher.onJobAdded(kind);
  };
  return {
    checkRoom,
    onAdded: added,
    async add(kind, payload, options) {
      const job = createJob(kind, payload, options);
      const isLater = job.dueMs > clock.now();
      const { jobId, isNew } = await store.add(job);
      failPoint("job-added");
      if (isNew) added(job, isLater);
      else if (job.replacesWaiting) moved(job, jobId);
      return { jobId, isNew };
    },
    effect(kind, payload, options) {
      const job = createJob(kind, payload, options);
      const isLater = job.dueMs > clock.now();
      return {
        writes: store.toAddWrites(job),
        applied: (results) => {
          if (results.at(-1)?.changes !== 0) added(job, isLater);
          else if (job.replacesWaiting) moved(job);
        },
      };
    },
    async cancel(jobId) {
      const before = await views.get(jobId);
      const became = await store.cancel(jobId);
      if (became === "over") throw jobsTexts.error("conflict", "is_over", { id: jobId });
      if (became === "asked") dispatcher.cancel(jobId);
      else counts.change(before.kind, before.status === "dead" ? "dead" : "waiting", "canceled");
      onJobChanged(jobId);
      return toListItem(await views.get(jobId));
    },
    async retry(jobId, isConfirmed = false) {
      const { kind, status, steps, secrets_gone } = await views.get(jobId);
      if (status === "running" || status === "done") {
        throw jobsTexts.error("conflict", status === "done" ? "is_done" : "runs_already", { id: jobId });
      }
      if (secrets_gone) {
        throw jobsTexts.error("conflict", "secrets_gone", { id: jobId });
      }
      const unknown = steps.filter(({ state }) => state === "started").map(({ name }) => `'${name}'`);
      if (unknown.length > 0 && !isConfirmed) {
        throw jobsTexts.error("confirmation_required", "steps_unknown", { steps: unknown.join(", ") });
      }
      if (!(await store.rerun(jobId, isConfirmed))) throw jobsTexts.error("conflict", "changed", { id: jobId });
      counts.change(kind, status, "waiting");
      onJobChanged(jobId);
      dispatcher.onJobAdded(kind);
      return toListItem(await views.get(jobId));
    },
    get: views.get,
    list: views.list,
  };
}

function toListItem({ payload: _payload, logs: _logs, steps: _steps, ...job }: JobDetail): Job {
  return job;
}
