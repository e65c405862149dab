import type { CallOptions } from "@parley/client";
import { findById, parley, type Shapes, toRevision } from "../../shared/api/client.ts";
import { type Page, readAllPages } from "../../shared/api/list-pages.ts";

export type Run = Shapes["Run"];
export type RunStep = Shapes["RunStep"];
export type RunDetail = Shapes["RunDetail"];
export type RunStatus = Run["status"];
export type StepState = RunStep["state"];
export type Workflow = Shapes["Workflow"];
export type Step = Workflow["steps"][number];
export type Action = Step["action"];
export type WorkflowConfig = Workflow["config"];
export type WorkflowDraft = Pick<Workflow, "name" | "description" | "enabled" | "trigger" | "config" | "steps">;
export type Task = Shapes["Task"];
export type ScheduleConfig = Task["config"];
export type Trigger = Workflow["trigger"] | Task["trigger"];
export type TaskDraft = Pick<
  Task,
  "name" | "description" | "enabled" | "trigger" | "config" | "prompt" | "target_session_id"
>;
export type PlannedTimes = Shapes["PlannedTimes"];
/** Run times at equal intervals; `every_ms` is 0 for a single one. */
export type PlannedSpan = Shapes["PlannedSpan"];
export type RunQuery = NonNullable<CallOptions<"get", "/api/runs">["query"]>;

export type Heartbeat = Shapes["Heartbeat"];
export type HeartbeatDraft = Pick<
  Heartbeat,
  "enabled" | "interval_minutes" | "content_file" | "target_session_id" | "targets"
>;

export type HeartbeatText = Shapes["HeartbeatContent"] & { readonly revision: number };

function addRevision(text: Shapes["HeartbeatContent"]): HeartbeatText {
  return { ...text, revision: toRevision(text.etag) };
}

/** Queries that a change of a workflow, task or heartbeat affects. */
export const QUERY_KEYS = [["workflow"], ["task"], ["heartbeat"], ["run"]] as const;

const HEARTBEAT_TEXT_PATH = "/api/heartbeat/content";
const WORKFLOW_PATH = "/api/workflows/{workflow_id}";
const TASK_PATH = "/api/task-center/{task_id}";
const RUN_PATH = "/api/runs/{run_id}";

export const automation = {
  listWorkflows: (q: string, page: Page) =>
    parley.get("/api/workflows", { query: { ...page, ...(q !== "" && { q }) } }),
  getWorkflow: (workflow_id: string) => parley.get(WORKFLOW_PATH, { path: { workflow_id } }),
  createWorkflow: (body: Pick<WorkflowDraft, "name" | "description"> & Partial<WorkflowDraft>) =>
    parley.post("/api/workflows", { body }),
  changeWorkflow: (workflow_id: string, body: WorkflowDraft, ifMatch: number | undefined) =>
    parley.put(WORKFLOW_PATH, { path: { workflow_id }, body, ifMatch }),
  removeWorkflow: (workflow_id: string) => parley.delete(WORKFLOW_PATH, { path: { workflow_id } }),
  setWorkflowEnabled: (workflow_id: string, enabled: boolean) =>
    parley.post(`${WORKFLOW_PATH}/toggle`, { path: { workflow_id }, body: { enabled } }),
  runWorkflow: (workflow_id: string, body: Pick<RunDetail["order"], "content" | "inputs"> = {}) =>
    parley.post(`${WORKFLOW_PATH}/execute`, { path: { workflow_id }, body }),
  listTasks: (page: Page) => parley.get("/api/task-center", { query: page }),
  createTask: (body: TaskDraft) => parley.post("/api/task-center", { body }),
  changeTask: (task_id: string, body: TaskDraft, ifMatch: number | undefined) =>
    parley.put(TASK_PATH, { path: { task_id }, body, ifMatch }),
  getTask: async (id: string) => findById({ items: await readAllPages(automation.listTasks, (task) => task.id) }, id),
  removeTask: (task_id: string) => parley.delete(TASK_PATH, { path: { task_id } }),
  setTaskEnabled: (task_id: string, enabled: boolean) =>
    parley.post(`${TASK_PATH}/toggle`, { path: { task_id }, body: { enabled } }),
  runTask: (task_id: string) => parley.post(`${TASK_PATH}/run`, { path: { task_id } }),
  getHeartbeat: () => parley.get("/api/heartbeat"),
  changeHeartbeat: (body: HeartbeatDraft, ifMatch: number | undefined) =>
    parley.put("/api/heartbeat", { body, ifMatch }),
  getHeartbeatText: async (file: string) => addRevision(await parley.get(HEARTBEAT_TEXT_PATH, { query: { file } })),
  saveHeartbeatText: async (file: string, content: string, ifMatch: number | undefined) =>
    addRevision({
      ...(await parley.put(HEARTBEAT_TEXT_PATH, { body: { file, content }, ifMatch })),
      content,
      exists: true,
    }),
  listRuns: async (query: RunQuery) => {
    const { items, has_more } = await parley.get("/api/runs", { query });
    return { items, next_cursor: (has_more && items.at(-1)?.run_id) || null };
  },
  getRun: (run_id: string) => parley.get(RUN_PATH, { path: { run_id } }),
  cancelRun: (run_id: string) => parley.post(`${RUN_PATH}/cancel`, { path: { run_id } }),
  listPlannedTimes: (days: number) => parley.get("/api/automation/calendar", { query: { days } }),
};

export const isFinished = (status: RunStatus) => status !== "queued" && status !== "running";
