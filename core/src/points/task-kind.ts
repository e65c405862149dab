import { type ExtensionPoint, extensionPoint } from "../extension-point.ts";

/** What a task can be made of (contract gateway §1). */
export const TASK_KINDS = ["heartbeat", "workflow", "cron", "custom"] as const;

export interface TaskStart {
  readonly traceId: string;
  /** Who or what started it: `mcp`, `schedule`, an account's id. */
  readonly trigger: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** One kind of recorded task, by whoever keeps the records. */
export interface TaskKind {
  readonly kind: (typeof TASK_KINDS)[number];
  /** Begins one run and resolves once it is under way; `not_found` when there is no such record. */
  start(taskId: string, start: TaskStart): Promise<{ readonly runId: string }>;
}

/** What can be run by its id. */
export const TaskKinds: ExtensionPoint<TaskKind> = extensionPoint("task-kinds");
