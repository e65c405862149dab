import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import { functionSchema, validateWith } from "../../validation/joi-schemas.ts";

/** Kinds of tasks. */
export const TASK_KINDS = ["heartbeat", "workflow", "cron", "custom"] as const;

/** A stored task to run once. */
export interface TaskOrder {
  readonly kind: (typeof TASK_KINDS)[number];
  readonly taskId: string;
  /** Trigger of the run: `mcp`, `schedule`, or an account's id. */
  readonly trigger: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Planned time, ISO 8601 UTC; of several orders for one time only one runs. */
  readonly plannedAt?: string;
}

/** Context of one task run. */
export interface TaskContext extends Pick<TaskOrder, "trigger" | "metadata"> {
  readonly traceId: string;
  readonly runId: string;
  /** Aborts when the run takes longer than the setting `automation.run_timeout_s`, and when the service stops. */
  readonly signal: AbortSignal;
  /** Runs a call with a side effect once, also when the task runs again after a crash; `key` names the call. */
  once<Result>(key: string, call: () => Promise<Result>): Promise<Result>;
}

/** One kind of stored task, implemented by the plugin that stores the records. */
export interface TaskKind {
  readonly kind: TaskOrder["kind"];
  has(taskId: string): Promise<boolean>;
  /** Runs a task once, from beginning to end; a task never runs twice at the same time. It runs again when the process ended during the run. */
  run(taskId: string, context: TaskContext): Promise<void>;
}

/** Kinds of tasks that can be run by id. */
export const TaskKinds: ExtensionPoint<TaskKind> = extensionPoint("task-kinds", {
  accept: validateWith(
    Joi.object({
      kind: Joi.valid(...TASK_KINDS).required(),
      has: functionSchema.required(),
      run: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "task kind", names: ({ kind }) => [kind] },
  ends: ["has", "run"],
});
