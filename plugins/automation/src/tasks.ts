import {
  clampPage,
  type List,
  type LiveEvents,
  type ResourceItem,
  type ResourcePatch,
  type ResourceRecords,
  resourceChanged,
  type Schedule,
  type Sessions,
  type StoredRecords,
} from "@parley/core";
import { type Heartbeat, heartbeatPlan, targetOf } from "./heartbeat.ts";
import { HEARTBEAT } from "./heartbeat-schema.ts";
import { changesWords, type Ordered, orderedBy, shownOrder, storedOrder } from "./orders.ts";
import { type Planned, type Planner, timingOf } from "./planner.ts";
import type { RunStore } from "./run-store.ts";
import type { Runs } from "./runs.ts";
import { kindOfId, refuseOther } from "./starter.ts";
import type { Speaker } from "./targets.ts";
import type { TaskFields } from "./task-schema.ts";
import { plannedOf, runFieldsOf, type Workflow, type Workflows } from "./workflows.ts";

export type Task = ResourceItem<TaskFields> & Ordered;

export interface TaskQuery {
  readonly kind?: "custom" | "heartbeat" | "workflow";
  readonly enabled?: boolean;
  readonly limit: number;
  readonly offset: number;
}

export interface TasksParts {
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

/** The task center: the tasks of people, and beside them what else runs by itself. */
export interface Tasks {
  readonly records: ResourceRecords<TaskFields>;
  find(id: string): Promise<Task | undefined>;
  /** The heartbeat first, then workflows that run by themselves, then tasks by their next time. */
  list(query: TaskQuery): Promise<List<object>>;
  setEnabled(id: string, isEnabled: boolean | undefined): Promise<object>;
  /** One of the three kinds, as the list shows it. */
  shown(id: string): Promise<object>;
  /** A date has come: the task is done with. */
  over(id: string): Promise<void>;
  /** All records that are planned, with what says when. */
  planned(): Promise<readonly { readonly name: string; readonly plan: Planned }[]>;
}

export function createTasks(parts: TasksParts): Tasks {
  const { stored, workflows, heartbeat, runs, store, planner, speaker, sessions, events } = parts;
  const plan = ({ id, enabled, trigger, config }: Pick<Task, "id" | "enabled" | "trigger" | "config">): Planned => ({
    id,
    enabled,
    trigger,
    config,
  });
  const own = async () => {
    const found: Task[] = [];
    for await (const task of stored().all()) found.push(task);
    return found;
  };
  const itemsOf = async (records: readonly Task[]) => {
    const ids = records.map(({ id }) => id);
    const [owners, schedules] = await Promise.all([runs.of(ids), planner.of(ids)]);
    return records.map((task) => ({
      ...task,
      ...shownOrder(task),
      kind: "custom" as const,
      trigger_label: labelOf(plan(task)),
      editable: true,
      deletable: true,
      ...runFieldsOf(owners.get(task.id), schedules.get(task.id)),
    }));
  };
  const heartbeatItem = async () => {
    const {
      content_file,
      interval_minutes,
      targets: _targets,
      ...item
    } = (await heartbeat.shown()) as Awaited<ReturnType<Heartbeat["get"]>>;
    return {
      ...item,
      kind: "heartbeat",
      name: "Heartbeat",
      description: "",
      trigger: "interval",
      config: { interval_minutes },
      prompt: content_file,
      trigger_label: labelOf(heartbeatPlan({ ...item, content_file, interval_minutes, targets: [] })),
      editable: false,
      deletable: false,
    };
  };
  const workflowItem = ({ steps: _steps, config, description, ...item }: Workflow) => {
    const { cron, interval_minutes, timezone } = config;
    return {
      ...item,
      kind: "workflow",
      description: description.slice(0, 4_000),
      config: without({ cron, interval_minutes, timezone }),
      prompt: description,
      target_session_id: null,
      trigger_label: labelOf(plannedOf({ ...item, config })),
      editable: false,
      deletable: false,
    };
  };
  const shown = async (id: string): Promise<object> => {
    const kind = kindOfId(id);
    if (kind === "heartbeat") return heartbeatItem();
    if (kind === "workflow") return workflowItem(await workflows.get(id));
    return (await itemsOf([await stored().get(id)]))[0] ?? {};
  };
  const checked = async (fields: TaskFields & Ordered, id = "new"): Promise<TaskFields> => {
    planner.check(plan({ ...fields, id }));
    const target_session_id = await targetOf(sessions(), fields.target_session_id);
    if (target_session_id !== null) await speaker.check(target_session_id, "target_session_id", storedOrder(fields));
    return { ...fields, target_session_id };
  };

  const records: ResourceRecords<TaskFields> = {
    // The list has rows of other kinds: it is a row of its own.
    page: (query) => stored().page(query),
    get: async (id) => (await shown(id)) as Task,
    async create(draft, request) {
      const made = await stored().create(await checked({ ...draft, ...orderedBy(request?.caller) }), request);
      await planner.put(plan(made), "task");
      return (await shown(made.id)) as Task;
    },
    async change(id, patch, request) {
      refuseOther(id);
      const before = await stored().get(id);
      const ordered = changesWords(patch) ? { ...patch, ...orderedBy(request?.caller) } : patch;
      const { target_session_id } = await checked({ ...before, ...ordered }, id);
      const whole = patch.target_session_id === undefined ? ordered : { ...ordered, target_session_id };
      const next = await stored().change(id, whole, request);
      await planner.put(plan(next), "task");
      return (await shown(id)) as Task;
    },
    async remove(id, request) {
      refuseOther(id);
      await stored().remove(id, request);
      await planner.remove(id);
      await runs.cancelOf(id);
      await store.forget(id);
    },
  };
  return {
    records,
    find: (id) => stored().find(id),
    shown,
    async list({ kind, enabled, ...asked }) {
      const { limit, offset } = clampPage(asked);
      const isWanted = (record: { readonly enabled: boolean }) => enabled === undefined || record.enabled === enabled;
      const config = kind === undefined || kind === "heartbeat" ? [await heartbeat.get()].filter(isWanted) : [];
      const flows = kind === undefined || kind === "workflow" ? (await workflows.scheduled()).filter(isWanted) : [];
      const mine = kind === undefined || kind === "custom" ? byNext(await own(), planner) : Promise.resolve([]);
      const tasks = (await mine).filter(isWanted);
      const all = [...config, ...flows, ...tasks];
      const page = all.slice(offset, offset + limit).map(({ id }) => id);
      const flowItems = await workflows.shown(flows.filter(({ id }) => page.includes(id)));
      const taskItems = await itemsOf(tasks.filter(({ id }) => page.includes(id)));
      const first = page.includes(HEARTBEAT) ? [await heartbeatItem()] : [];
      return { items: [...first, ...flowItems.map(workflowItem), ...taskItems], total: all.length, limit, offset };
    },
    async setEnabled(id, isEnabled) {
      const kind = kindOfId(id);
      if (kind === "heartbeat") {
        const { enabled } = await heartbeat.get();
        if ((isEnabled ?? !enabled) !== enabled) await heartbeat.change({ enabled: !enabled });
      } else if (kind === "workflow") await workflows.setEnabled(id, isEnabled);
      else {
        const before = await stored().get(id);
        const enabled = isEnabled ?? !before.enabled;
        planner.check(plan({ ...before, enabled }));
        const next =
          before.enabled === enabled ? before : await stored().change(id, { enabled } as ResourcePatch<TaskFields>);
        await planner.put(plan(next), "task");
      }
      return shown(id);
    },
    async over(id) {
      const task = await stored().find(id);
      if (!task?.enabled) return;
      const next = await stored().change(id, { enabled: false } as ResourcePatch<TaskFields>);
      events.publish(resourceChanged("task", id, "updated", next.revision));
    },
    async planned() {
      const config = await heartbeat.get();
      return [
        { name: "Heartbeat", plan: heartbeatPlan(config) },
        ...(await workflows.scheduled()).map((workflow) => ({ name: workflow.name, plan: plannedOf(workflow) })),
        ...(await own()).map((task) => ({ name: task.name, plan: plan(task) })),
      ];
    },
  };
}

/** Those that come soonest first; those that do not come last, by name. */
async function byNext(found: readonly Task[], planner: Planner): Promise<readonly Task[]> {
  const schedules = await planner.of(found.map(({ id }) => id));
  const next = ({ id }: Task) => nextOf(schedules.get(id));
  return found.toSorted((a, b) => next(a) - next(b) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
}

function nextOf(schedule: Schedule | undefined): number {
  return schedule?.next_run ? Date.parse(schedule.next_run) : Number.MAX_SAFE_INTEGER;
}

/** When it runs, in few words; the console says it in its own language. */
export function labelOf(planned: Planned): string {
  const { trigger, config } = planned;
  const zone = config.timezone === undefined ? "" : ` (${config.timezone})`;
  const timing = timingOf(planned);
  if (timing?.cron !== undefined) return `cron ${timing.cron}${zone}`;
  if (timing?.everyMs !== undefined) return `every ${timing.everyMs / 60_000} min`;
  return trigger === "date" ? `at ${config.run_at}` : trigger;
}

function without<T extends object>(fields: T): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
