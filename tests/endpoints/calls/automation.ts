import type { Call, Seed } from "../calls.ts";

const LIST = ["items", "total", "limit", "offset"];
const RUNS = ["status", "next_run", "last_run", "recent_runs", "run_count", "skipped_count", "revision"];
const WORKFLOW = ["id", "name", "steps", "config", "trigger", "enabled", "session_id", ...RUNS];
const TASK = ["id", "kind", "prompt", "trigger_label", "editable", "deletable", ...RUNS];
const HEARTBEAT = ["enabled", "interval_minutes", "content_file", "target_session_id", "targets", ...RUNS];
const ENDED = ["run_id", "status", "trace_id", "result", "finished_at", "usage"];
let count = 0;

const createWorkflow = async ({ api }: Seed): Promise<{ readonly workflow_id: string }> => {
  const steps = [{ id: "wait", action: "delay", input: { seconds: 3_600 } }];
  const draft = { name: `flow ${++count}`, description: "waits", steps };
  return { workflow_id: (await api.post<{ id: string }>("/api/workflows", draft)).id };
};
const createTask = async ({ api }: Seed): Promise<{ readonly task_id: string }> => {
  const draft = { name: `task ${++count}`, prompt: "What is new?" };
  return { task_id: (await api.post<{ id: string }>("/api/task-center", draft)).id };
};
/** Creates a workflow that ends at once. */
const createQuickWorkflow = async ({ api }: Seed): Promise<string> => {
  const steps = [{ id: "wait", action: "delay", input: { seconds: 1 } }];
  return (await api.post<{ id: string }>("/api/workflows", { name: "quick", description: "waits", steps })).id;
};
/** Starts a run that sleeps. */
const startSleepingRun = async (seed: Seed): Promise<{ readonly run_id: string }> => {
  const { workflow_id } = await createWorkflow(seed);
  const { run_id } = await seed.api.post<{ run_id: string }>(`/api/workflows/${workflow_id}/execute`, {});
  return { run_id };
};

/** A working call of every route of workflows, the task center and the heartbeat. */
export const AUTOMATION_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/workflows": { gives: LIST },
  "POST /api/workflows": { body: { name: "mornings", description: "Look at the day." }, gives: WORKFLOW },
  "PUT /api/workflows/{workflow_id}": { params: createWorkflow, body: { name: "evenings" }, gives: WORKFLOW },
  "DELETE /api/workflows/{workflow_id}": { params: createWorkflow, gives: ["id", "deleted"] },
  "POST /api/workflows/{workflow_id}/toggle": {
    params: createWorkflow,
    body: {},
    gives: ["id", "enabled", "next_run"],
  },
  "POST /api/workflows/{workflow_id}/execute": {
    params: async (seed) => ({ workflow_id: await createQuickWorkflow(seed) }),
    body: { wait: true },
    gives: ENDED,
  },
  "GET /api/task-center": { gives: LIST },
  "POST /api/task-center": { body: { name: "news", prompt: "What is new?" }, gives: TASK },
  "PUT /api/task-center/{task_id}": { params: createTask, body: { name: "old news" }, gives: TASK },
  "DELETE /api/task-center/{task_id}": { params: createTask, gives: ["id", "deleted"] },
  "POST /api/task-center/{task_id}/toggle": { params: createTask, body: {}, gives: TASK },
  "POST /api/task-center/{task_id}/run": { params: createTask, body: { wait: true }, gives: ENDED },
  "GET /api/heartbeat": { gives: HEARTBEAT },
  "PUT /api/heartbeat": { body: { interval_minutes: 120 }, gives: HEARTBEAT },
  "POST /api/heartbeat/run": { body: { wait: true }, gives: ENDED },
  "GET /api/heartbeat/content": { gives: ["file", "content", "exists", "etag"] },
  "PUT /api/heartbeat/content": { body: { content: "" }, gives: ["file", "size", "etag"] },
};

/** A working call of every route that the contract does not list: runs and planned times. */
export const OUR_AUTOMATION_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/workflows/{workflow_id}": { params: createWorkflow, gives: WORKFLOW },
  "GET /api/runs": { gives: ["items", "has_more"] },
  "GET /api/runs/{run_id}": { params: startSleepingRun, gives: ["run", "steps", "order", "is_cancelable"] },
  "POST /api/runs/{run_id}/cancel": { params: startSleepingRun, body: {}, gives: ["run_id", "status"] },
  "GET /api/automation/calendar": { gives: ["items"] },
};
