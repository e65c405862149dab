import Joi from "@hapi/joi";
import {
  AppError,
  type Clock,
  derivedId,
  isWithoutModel,
  type JobKind,
  jobKind,
  type Settings,
  setting,
} from "@parley/core";
import type { RunStore } from "../runs/run-store.ts";
import type { Starter } from "../runs/starter.ts";
import { RUN_KINDS, type RunKind, type RunTrigger, type StateTable } from "../runs/tables.ts";
import type { Tasks } from "../tasks/tasks.ts";
import { DUE_JOB, HEARTBEAT_DUE_JOB } from "./planner.ts";

export const CATCH_UP_JOB = "automation.catch-up";
/** A start that was missed while automation was off is caught up if automation is enabled within this time. */
const CATCH_UP_WINDOW_MS = 300_000;
/** Retries of a start, for about as long as a missed start is caught up. */
const RETRY = { attempts: 25, firstDelayMs: 1_000, maxDelayMs: 15_000 } as const;

/** Setting that lets records run automatically. */
export const AUTOMATION_ENABLED = setting({
  key: "features.workflow",
  schema: Joi.boolean().strict().default(true),
  group: "general",
  title: { en: "Run workflows, tasks and the heartbeat automatically", zh: "自动运行工作流、任务与心跳" },
  help: {
    en: "When off, nothing starts on schedule. You can still start it manually.",
    zh: "关闭后到时间不会自动启动，仍可手动启动。",
  },
});

export interface DueDeps {
  readonly starter: Starter;
  readonly store: RunStore;
  readonly tasks: Tasks;
  readonly settings: Settings;
  readonly clock: Clock;
}

interface DuePayload {
  readonly kind: RunKind;
  readonly id: string;
}

/** Creates the job kind for planned times of workflows and tasks. */
export const createDueJob = (deps: DueDeps): JobKind =>
  createStartJob(deps, DUE_JOB, { en: "Start a scheduled workflow or task", zh: "按时启动工作流或任务" });

/** Creates the job kind for planned times of the heartbeat. */
export const createHeartbeatDueJob = (deps: DueDeps): JobKind =>
  createStartJob(deps, HEARTBEAT_DUE_JOB, { en: "Start the scheduled heartbeat", zh: "按时启动心跳" });

/** Creates a job that starts the run, or records that the start was skipped. */
function createStartJob(
  { starter, store, tasks, settings, clock }: DueDeps,
  kind: string,
  titles: JobKind["titles"],
): JobKind {
  return jobKind<DuePayload>({
    kind,
    titles,
    schema: Joi.object({ kind: Joi.valid(...RUN_KINDS).required(), id: Joi.string().required() }),
    concurrency: 8,
    retry: RETRY,
    ended: ({ id, kind }, { status }) => (status === "dead" ? [{ writes: store.skipWrites(id, kind, null) }] : []),
    async run({ kind, id }, { jobId }) {
      const record = await starter.find(kind, id);
      if (!record?.enabled) return;
      const isDate = record.trigger === "date";
      if (!settings.get(AUTOMATION_ENABLED)) {
        await store.skip(id, kind, clock.now());
        if (isDate) await tasks.disable(id);
        return;
      }
      const isStarted = await startOnce(starter, { kind, id }, record.trigger as RunTrigger, derivedId("run", jobId));
      if (!isStarted) await store.skip(id, kind, null);
      if (isDate) await tasks.disable(id);
    },
  });
}

/** Starts one run for a planned time, even if called again; returns false without a model or during another run. */
async function startOnce(
  starter: Starter,
  { kind, id }: DuePayload,
  trigger: RunTrigger,
  runId: string,
): Promise<boolean> {
  try {
    await starter.start(kind, id, { trigger, runId });
    return true;
  } catch (error) {
    if (isWithoutModel(error) || (AppError.is(error) && error.detail?.key === "automation.busy")) return false;
    throw error;
  }
}

/** Creates the job that starts records which were due shortly before automation was enabled. */
export function createCatchUpJob({ starter, store, clock }: DueDeps): JobKind {
  return jobKind({
    kind: CATCH_UP_JOB,
    titles: { en: "Catch up on missed workflows and tasks", zh: "补上错过的工作流与任务" },
    schema: Joi.object({}),
    concurrency: 1,
    retry: RETRY,
    async run() {
      const sinceMs = clock.now() - CATCH_UP_WINDOW_MS;
      for (const one of await store.listMissed(sinceMs)) await catchUpOne({ starter, store }, one);
    },
  });
}

async function catchUpOne(
  { starter, store }: Pick<DueDeps, "starter" | "store">,
  { id, kind, held_ms }: StateTable,
): Promise<void> {
  const record = await starter.find(kind, id);
  if (held_ms === null || !record) return;
  // A task with a date disables itself when the date has come.
  const isWanted = record.enabled || record.trigger === "date";
  const runId = derivedId("run", id, String(held_ms));
  // A start clears the missed time in its transaction, so a failed start keeps it.
  const isStarted = isWanted && (await startOnce(starter, { kind, id }, record.trigger as RunTrigger, runId));
  if (!isStarted) await store.claimMissed(id, held_ms);
}
