import type { LocalizedError } from "@parley/core";
import { api, findById, type Listed, parley, query, type Shapes, toRevision } from "../../shared/api/client.ts";

export type RunKind = "workflow" | "task" | "heartbeat";
export type RunStatus = "queued" | "running" | "success" | "failed" | "canceled" | "timed_out";
export type StepState = "started" | "done" | "failed" | "skipped" | "unknown";
export type Action = "ai" | "tool" | "message" | "delay";
export type Trigger = "manual" | "cron" | "interval" | "date";
type Json = Readonly<Record<string, unknown>>;

export interface Run {
  readonly run_id: string;
  readonly kind: RunKind;
  readonly owner_id: string;
  readonly owner_name: string;
  readonly status: RunStatus;
  readonly trigger: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly duration_ms: number | null;
  readonly result: string;
  readonly error: string | null;
  readonly error_code: string | null;
  readonly error_detail: LocalizedError["detail"] | null;
  readonly trace_id: string;
  readonly session_id: string | null;
  readonly usage: { readonly total_tokens: number; readonly cost: number | null };
}

export interface RunStep {
  readonly key: string;
  readonly name: string;
  readonly action: string;
  readonly state: StepState;
  readonly attempts: number;
  readonly input: unknown;
  readonly output: unknown;
  readonly error: string | null;
  readonly error_code: string | null;
  readonly error_detail: LocalizedError["detail"] | null;
  readonly started_at: string;
  readonly duration_ms: number | null;
  readonly usage: Run["usage"];
}

export interface RunDetail {
  readonly run: Run;
  readonly steps: readonly RunStep[];
  readonly order: { readonly content?: string; readonly inputs?: Json };
  readonly is_cancelable: boolean;
}

export interface Step {
  readonly id: string;
  readonly action: Action;
  readonly input: Json;
  readonly output_var?: string;
  readonly condition?: { readonly var: string; readonly op: string; readonly value?: unknown };
  readonly retry: number;
  readonly timeout_s: number;
  readonly on_error: "stop" | "continue";
}

export interface ScheduleConfig {
  readonly cron?: string;
  readonly interval_minutes?: number;
  readonly timezone?: string;
  readonly run_at?: string;
}

export interface WorkflowConfig extends ScheduleConfig {
  readonly target_type?: string;
  readonly target_id?: string;
  readonly max_iterations?: number;
  readonly tools?: readonly string[];
}

interface Schedulable {
  readonly enabled: boolean;
  readonly status: "idle" | "running" | "success" | "failed";
  readonly next_run: string | null;
  readonly last_error: string | null;
  readonly last_run: Run | null;
  readonly run_count: number;
  readonly skipped_count: number;
  readonly session_id: string | null;
  readonly revision: number;
}

export interface Workflow extends Schedulable {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly trigger: Exclude<Trigger, "date">;
  readonly config: WorkflowConfig;
  readonly steps: readonly Step[];
}
export type WorkflowDraft = Pick<Workflow, "name" | "description" | "enabled" | "trigger" | "config" | "steps">;

export interface Task extends Schedulable {
  readonly id: string;
  readonly kind: "custom" | "heartbeat" | "workflow";
  readonly name: string;
  readonly description: string;
  readonly trigger: Exclude<Trigger, "manual">;
  readonly config: ScheduleConfig;
  readonly prompt: string;
  readonly target_session_id: string | null;
  readonly editable: boolean;
}
export type TaskDraft = Pick<
  Task,
  "name" | "description" | "enabled" | "trigger" | "config" | "prompt" | "target_session_id"
>;

export type Heartbeat = Shapes["Heartbeat"];
export type HeartbeatDraft = Pick<
  Heartbeat,
  "enabled" | "interval_minutes" | "content_file" | "target_session_id" | "targets"
>;

export type HeartbeatText = ReturnType<typeof withRevision>;

function withRevision(text: Shapes["HeartbeatContent"]) {
  return { ...text, revision: toRevision(text.etag) };
}

/** Times with the same distance; `every_ms` is 0 for a single one. */
export interface PlannedSpan {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly every_ms: number;
}

export interface PlannedTimes {
  readonly id: string;
  readonly kind: RunKind;
  readonly name: string;
  readonly spans: readonly PlannedSpan[];
  /** True when more exist than are listed. */
  readonly more: boolean;
}

export interface RunQuery {
  readonly owner_id?: string | undefined;
  readonly kind?: string | undefined;
  readonly status?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

const HEARTBEAT_TEXT_PATH = "/api/heartbeat/content";
const workflowPath = (id: string) => `/api/workflows/${encodeURIComponent(id)}`;
const taskPath = (id: string) => `/api/task-center/${encodeURIComponent(id)}`;
const run = (id: string) => `/api/runs/${encodeURIComponent(id)}`;

export const automation = {
  workflows: (q: string) => api.get<Listed<Workflow>>(`/api/workflows?${query({ q, limit: 500 })}`),
  workflow: (id: string) => api.get<Workflow>(workflowPath(id)),
  createWorkflow: (draft: Partial<WorkflowDraft>) => api.post<Workflow>("/api/workflows", draft),
  changeWorkflow: (id: string, draft: WorkflowDraft, ifMatch: number | undefined) =>
    api.call<Workflow>("put", workflowPath(id), { body: draft, ifMatch }),
  removeWorkflow: (id: string) => api.remove(workflowPath(id)),
  toggleWorkflow: (id: string, enabled: boolean) => api.post(`${workflowPath(id)}/toggle`, { enabled }),
  execute: (id: string, given: { readonly content?: string; readonly inputs?: Json } = {}) =>
    api.post<{ readonly run_id: string }>(`${workflowPath(id)}/execute`, given),
  tasks: () => api.get<Listed<Task>>("/api/task-center?limit=500"),
  createTask: (draft: TaskDraft) => api.post<Task>("/api/task-center", draft),
  changeTask: (id: string, draft: TaskDraft, ifMatch: number | undefined) =>
    api.call<Task>("put", taskPath(id), { body: draft, ifMatch }),
  task: async (id: string) => findById(await automation.tasks(), id),
  removeTask: (id: string) => api.remove(taskPath(id)),
  toggleTask: (id: string, enabled: boolean) => api.post<Task>(`${taskPath(id)}/toggle`, { enabled }),
  runTask: (id: string) => api.post<{ readonly run_id: string }>(`${taskPath(id)}/run`),
  heartbeat: () => parley.get("/api/heartbeat"),
  changeHeartbeat: (body: HeartbeatDraft, ifMatch: number | undefined) =>
    parley.put("/api/heartbeat", { body, ifMatch }),
  heartbeatText: async (file: string) => withRevision(await parley.get(HEARTBEAT_TEXT_PATH, { query: { file } })),
  saveHeartbeatText: async (file: string, content: string, ifMatch: number | undefined) =>
    withRevision({
      ...(await parley.put(HEARTBEAT_TEXT_PATH, { body: { file, content }, ifMatch })),
      content,
      exists: true,
    }),
  runs: (asked: RunQuery) =>
    api.get<{ readonly items: readonly Run[]; readonly has_more: boolean }>(`/api/runs?${query({ ...asked })}`),
  run: (id: string) => api.get<RunDetail>(run(id)),
  cancel: (id: string) => api.post<Run>(`${run(id)}/cancel`),
  calendar: (days: number) =>
    api.get<{ readonly items: readonly PlannedTimes[] }>(`/api/automation/calendar?days=${days}`),
};

export const isFinished = (status: RunStatus) => status !== "queued" && status !== "running";
