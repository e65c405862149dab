import {
  type LiveEvents,
  type ResourceItem,
  type ResourcePatch,
  type ResourceRecords,
  resourceChanged,
  type Schedule,
  type Sessions,
  type StoredRecords,
} from "@parley/core";
import { type List, toPage } from "@parley/core/http";
import { type Authorship, changesContent, readSpeakOrder, toAuthorship, toAuthorshipView } from "../authorship.ts";
import { type Heartbeat, resolveTargetSession, toHeartbeatPlan } from "../heartbeat/heartbeat.ts";
import { HEARTBEAT } from "../heartbeat/heartbeat-schema.ts";
import { assertIsTask, toRunKind } from "../runs/run-kind.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { Runs } from "../runs/runs.ts";
import { type Plan, type Planner, toTiming } from "../schedules/planner.ts";
import type { Speaker } from "../speaker.ts";
import { toRunFields, type Workflow, type Workflows } from "../workflows/workflows.ts";
import type { TaskFields } from "./task-schema.ts";

export type Task = ResourceItem<TaskFields> & Authorship;

export interface TaskQuery {
  readonly kind?: "custom" | "heartbeat" | "workflow";
  readonly enabled?: boolean;
  readonly limit: number;
  readonly offset: number;
}

export interface TasksDeps {
  readonly stored: () => StoredRecords<TaskFields>;
  readonly workflows: Workflows;
  readonly heartbeat: Heartbeat;
  readonly runs: Runs;
  readonly store: RunStore;
  readonly planner: Planner;
  readonly speaker: Speaker;
  readonly sessions: () => Sessions;
  readonly events: LiveEvents;
}

/** The task center: the tasks of people, and all other scheduled records. */
export interface Tasks {
  readonly records: ResourceRecords<TaskFields>;
  find(id: string): Promise<Task | undefined>;
  /** Lists the heartbeat, then scheduled workflows, then tasks by their next time. */
  list(query: TaskQuery): Promise<List<object>>;
  setEnabled(id: string, isEnabled: boolean | undefined): Promise<object>;
  /** Returns a record of any of the three kinds in the form of the list. */
  getView(id: string): Promise<object>;
  /** Disables a task whose date has passed. */
  disable(id: string): Promise<void>;
  /** Returns all scheduled records with their plans. */
  listPlanned(): Promise<readonly { readonly name: string; readonly plan: Plan }[]>;
}

export function createTasks(deps: TasksDeps): Tasks {
  const { stored, workflows, heartbeat, runs, store, planner, speaker, sessions, events } = deps;
  const listTasks = async () => {
    const found: Task[] = [];
    for await (const task of stored().all()) found.push(task);
    return found;
  };
  const toTaskViews = async (records: readonly Task[]) => {
    const ids = records.map(({ id }) => id);
    const [owners, schedules] = await Promise.all([runs.getByOwners(ids), planner.getByIds(ids)]);
    return records.map((task) => ({
      ...task,
      ...toAuthorshipView(task),
      kind: "custom" as const,
      trigger_label: toTriggerLabel(task),
      editable: true,
      deletable: true,
      ...toRunFields(owners.get(task.id), schedules.get(task.id)),
    }));
  };
  const toHeartbeatView = async () => {
    const {
      content_file,
      interval_minutes,
      targets: _targets,
      ...item
    } = (await heartbeat.getView()) as Awaited<ReturnType<Heartbeat["get"]>>;
    return {
      ...item,
      kind: "heartbeat",
      name: "Heartbeat",
      description: "",
      trigger: "interval",
      config: { interval_minutes },
      prompt: content_file,
      trigger_label: toTriggerLabel(toHeartbeatPlan({ ...item, content_file, interval_minutes, targets: [] })),
      editable: false,
      deletable: false,
    };
  };
  const toWorkflowView = ({ steps: _steps, config, description, ...item }: Workflow) => {
    const { cron, interval_minutes, timezone } = config;
    return {
      ...item,
      kind: "workflow",
      description: description.slice(0, 4_000),
      config: omitUndefined({ cron, interval_minutes, timezone }),
      prompt: description,
      target_session_id: null,
      trigger_label: toTriggerLabel({ ...item, config }),
      editable: false,
      deletable: false,
    };
  };
  const getView = async (id: string): Promise<object> => {
    const kind = toRunKind(id);
    if (kind === "heartbeat") return toHeartbeatView();
    if (kind === "workflow") return toWorkflowView(await workflows.get(id));
    return (await toTaskViews([await stored().get(id)]))[0] ?? {};
  };
  const validate = async (fields: TaskFields & Authorship, id = "new"): Promise<TaskFields> => {
    planner.check({ ...fields, id });
    const target_session_id = await resolveTargetSession(sessions(), fields.target_session_id);
    if (target_session_id !== null) await speaker.check(target_session_id, "target_session_id", readSpeakOrder(fields));
    return { ...fields, target_session_id };
  };

  const records: ResourceRecords<TaskFields> = {
    // The list has its own query, because it contains records of other kinds.
    page: (query) => stored().page(query),
    get: async (id) => (await getView(id)) as Task,
    async create(draft, request) {
      const made = await stored().create(await validate({ ...draft, ...toAuthorship(request?.caller) }), request);
      await planner.put(made, "task");
      return (await getView(made.id)) as Task;
    },
    async change(id, patch, request) {
      assertIsTask(id);
      const before = await stored().get(id);
      const ordered = changesContent(patch) ? { ...patch, ...toAuthorship(request?.caller) } : patch;
      const { target_session_id } = await validate({ ...before, ...ordered }, id);
      const whole = patch.target_session_id === undefined ? ordered : { ...ordered, target_session_id };
      const next = await stored().change(id, whole, request);
      await planner.put(next, "task");
      return (await getView(id)) as Task;
    },
    async remove(id, request) {
      assertIsTask(id);
      await stored().remove(id, request);
      await planner.remove(id);
      await runs.cancelByOwner(id);
      await store.remove(id);
    },
  };
  return {
    records,
    find: (id) => stored().find(id),
    getView,
    async list({ kind, enabled, ...pageQuery }) {
      const isWanted = (record: { readonly enabled: boolean }) => enabled === undefined || record.enabled === enabled;
      const config = kind === undefined || kind === "heartbeat" ? [await heartbeat.get()].filter(isWanted) : [];
      const flows = kind === undefined || kind === "workflow" ? (await workflows.listScheduled()).filter(isWanted) : [];
      const mine =
        kind === undefined || kind === "custom" ? sortByNextRun(await listTasks(), planner) : Promise.resolve([]);
      const tasks = (await mine).filter(isWanted);
      const all = [...config, ...flows, ...tasks];
      const { items, ...page } = toPage(all, pageQuery);
      const ids = new Set(items.map(({ id }) => id));
      const flowItems = await workflows.toViews(flows.filter(({ id }) => ids.has(id)));
      const taskItems = await toTaskViews(tasks.filter(({ id }) => ids.has(id)));
      const first = ids.has(HEARTBEAT) ? [await toHeartbeatView()] : [];
      return { items: [...first, ...flowItems.map(toWorkflowView), ...taskItems], ...page };
    },
    async setEnabled(id, isEnabled) {
      const kind = toRunKind(id);
      if (kind === "heartbeat") {
        const { enabled } = await heartbeat.get();
        if ((isEnabled ?? !enabled) !== enabled) await heartbeat.change({ enabled: !enabled });
      } else if (kind === "workflow") await workflows.setEnabled(id, isEnabled);
      else {
        const before = await stored().get(id);
        const enabled = isEnabled ?? !before.enabled;
        planner.check({ ...before, enabled });
        const next =
          before.enabled === enabled ? before : await stored().change(id, { enabled } as ResourcePatch<TaskFields>);
        await planner.put(next, "task");
      }
      return getView(id);
    },
    async disable(id) {
      const task = await stored().find(id);
      if (!task?.enabled) return;
      const next = await stored().change(id, { enabled: false } as ResourcePatch<TaskFields>);
      events.publish(resourceChanged("task", id, "updated", next.revision));
    },
    async listPlanned() {
      const config = await heartbeat.get();
      return [
        { name: "Heartbeat", plan: toHeartbeatPlan(config) },
        ...(await workflows.listScheduled()).map((workflow) => ({ name: workflow.name, plan: workflow })),
        ...(await listTasks()).map((task) => ({ name: task.name, plan: task })),
      ];
    },
  };
}

/** Sorts tasks by their next run; those without one come last, by name. */
async function sortByNextRun(found: readonly Task[], planner: Planner): Promise<readonly Task[]> {
  const schedules = await planner.getByIds(found.map(({ id }) => id));
  const next = ({ id }: Task) => getNextRunMs(schedules.get(id));
  return found.toSorted((a, b) => next(a) - next(b) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
}

function getNextRunMs(schedule: Schedule | undefined): number {
  return schedule?.next_run ? Date.parse(schedule.next_run) : Number.MAX_SAFE_INTEGER;
}

/** Returns a short label of the schedule. The console shows its own text. */
export function toTriggerLabel(planned: Plan): string {
  const { trigger, config } = planned;
  const zone = config.timezone === undefined ? "" : ` (${config.timezone})`;
  const timing = toTiming(planned);
  if (timing?.cron !== undefined) return `cron ${timing.cron}${zone}`;
  if (timing?.everyMs !== undefined) return `every ${timing.everyMs / 60_000} min`;
  return trigger === "date" ? `at ${config.run_at}` : trigger;
}

function omitUndefined<T extends object>(fields: T): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
