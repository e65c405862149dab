import {
  AppError,
  type ResourceItem,
  type ResourcePatch,
  type ResourceRecords,
  type Schedule,
  type StoredRecords,
} from "@parley/core";
import { type Authorship, changesContent, readSpeakOrder, toAuthorship, toAuthorshipView } from "../authorship.ts";
import type { RunStore } from "../runs/run-store.ts";
import { toIsoOrNull } from "../runs/run-views.ts";
import type { OwnerRuns, Runs } from "../runs/runs.ts";
import type { Planner } from "../schedules/planner.ts";
import { type Speaker, type Target, toTargetSession } from "../speaker.ts";
import { readStoredFailure } from "../stored-failures.ts";
import { automationTexts } from "../texts.ts";
import { RESERVED_NAMES } from "./workflow-runner.ts";
import type { Step, WorkflowFields } from "./workflow-schema.ts";
import type { WorkflowOrder } from "./workflow-steps.ts";

export type Workflow = ResourceItem<WorkflowFields> & Authorship;

export interface WorkflowsDeps {
  readonly stored: () => StoredRecords<WorkflowFields>;
  readonly runs: Runs;
  readonly store: RunStore;
  readonly planner: Planner;
  readonly speaker: Speaker;
}

/** Manages workflows as records, with data about their runs. */
export interface Workflows {
  readonly records: ResourceRecords<WorkflowFields>;
  /** Returns a workflow; rejects with `not_found` for an unknown id. */
  get(id: string): Promise<Workflow>;
  find(id: string): Promise<Workflow | undefined>;
  setEnabled(
    id: string,
    isEnabled: boolean | undefined,
  ): Promise<{ readonly workflow: Workflow; readonly next_run: string | null }>;
  /** Returns the workflows with a schedule, by name. */
  listScheduled(): Promise<readonly Workflow[]>;
  /** Returns workflows with their runs and next times, as in responses. */
  toViews(items: readonly Workflow[]): Promise<readonly Workflow[]>;
}

/** Returns the fields of a record about its runs and its schedule. */
export function toRunFields(owner: OwnerRuns | undefined, schedule: Schedule | undefined) {
  const { state, recent = [] } = owner ?? {};
  return {
    session_id: state?.session_id ?? null,
    status: state?.status ?? "idle",
    started_at: toIsoOrNull(state?.started_ms ?? null),
    finished_at: toIsoOrNull(state?.finished_ms ?? null),
    next_run: schedule?.next_run ?? null,
    last_error: state?.last_error ?? null,
    last_error_detail: (state && readStoredFailure({ error: state.last_error, told: state.told })?.detail) ?? null,
    run_count: state?.run_count ?? 0,
    skipped_count: (state?.skipped_count ?? 0) + (schedule?.skipped_count ?? 0),
    last_run: recent[0] ?? null,
    recent_runs: recent,
  };
}

/** Creates the order of a run from the current definition. */
export function toWorkflowOrder(
  { id, name, description, config, steps }: Workflow,
  content: string,
  inputs: Readonly<Record<string, unknown>>,
): WorkflowOrder {
  return { workflow: { id, name, description, config, steps }, content, inputs };
}

export function needsModel({ steps }: Pick<WorkflowFields, "steps">): boolean {
  return steps.length === 0 || steps.some(({ action }) => action === "ai");
}

export function createWorkflows({ stored, runs, store, planner, speaker }: WorkflowsDeps): Workflows {
  const check = async (fields: WorkflowFields & Authorship, id = "new") => {
    const order = readSpeakOrder(fields);
    checkSteps(fields);
    planner.check({ ...fields, id });
    const target = toTargetSession(assertTargetId("config", fields.config));
    if (target !== undefined) await speaker.check(target, "config.target_id", order);
    for (const [index, step] of fields.steps.entries())
      await checkTarget((id, field) => speaker.check(id, field, order), step, fields, `steps.${index}`);
  };
  const toViews: Workflows["toViews"] = async (items) => {
    const ids = items.map(({ id }) => id);
    const [owners, schedules] = await Promise.all([runs.getByOwners(ids), planner.getByIds(ids)]);
    return items.map((item) => ({
      ...item,
      ...toAuthorshipView(item),
      ...toRunFields(owners.get(item.id), schedules.get(item.id)),
    }));
  };
  const toView = async (item: Workflow) => (await toViews([item]))[0] ?? item;
  const get = async (id: string) => toView(await stored().get(id));

  const records: ResourceRecords<WorkflowFields> = {
    async page(query) {
      const { items, ...page } = await stored().page(query);
      return { items: await toViews(items), ...page };
    },
    get,
    async create(draft, request) {
      const ordered = { ...draft, ...toAuthorship(request?.caller) };
      await check(ordered);
      const created = await stored().create(ordered, request);
      await planner.put(created, "workflow");
      return toView(created);
    },
    async change(id, patch, request) {
      const before = await stored().get(id);
      const ordered = changesContent(patch) ? { ...patch, ...toAuthorship(request?.caller) } : patch;
      await check({ ...before, ...ordered }, id);
      const next = await stored().change(id, ordered, request);
      await planner.put(next, "workflow");
      return toView(next);
    },
    async remove(id, request) {
      await stored().remove(id, request);
      await planner.remove(id);
      await runs.cancelByOwner(id);
      await store.remove(id);
    },
  };
  return {
    records,
    get,
    find: (id) => stored().find(id),
    toViews,
    async setEnabled(id, isEnabled) {
      const before = await stored().get(id);
      const enabled = isEnabled ?? !before.enabled;
      planner.check({ ...before, enabled });
      const next =
        before.enabled === enabled ? before : await stored().change(id, { enabled } as ResourcePatch<WorkflowFields>);
      await planner.put(next, "workflow");
      const workflow = await toView(next);
      return { workflow, next_run: (await planner.getByIds([id])).get(id)?.next_run ?? null };
    },
    async listScheduled() {
      const found: Workflow[] = [];
      for (const trigger of ["cron", "interval"]) {
        for (let offset = 0; ; ) {
          const { items, total } = await stored().page({ trigger, limit: 500, offset });
          found.push(...items);
          offset += items.length;
          if (items.length === 0 || offset >= total) break;
        }
      }
      return found.sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
    },
  };
}

function assertTargetId<T extends Target>(field: string, target: T): T {
  try {
    toTargetSession(target);
    return target;
  } catch (error) {
    if (!AppError.is(error)) throw error;
    throw automationTexts.error(
      "bad_request",
      "no_target_id",
      { type: target.target_type ?? "none" },
      { field: `${field}.target_id` },
    );
  }
}

function checkSteps({ steps, config }: WorkflowFields): void {
  for (const [index, { action, input, output_var }] of steps.entries()) {
    const field = (name: string) => ({ field: `steps.${index}.${name}` });
    if (output_var !== undefined && RESERVED_NAMES.includes(output_var)) {
      throw automationTexts.error("bad_request", "name_taken", { name: output_var }, field("output_var"));
    }
    const toolNames =
      action === "tool" ? [String(input.name)] : action === "ai" ? ((input.tools ?? []) as readonly string[]) : [];
    const disallowedTool = config.tools && toolNames.find((name) => !config.tools?.includes(name));
    if (disallowedTool !== undefined)
      throw automationTexts.error("bad_request", "tool_barred", { name: disallowedTool }, field("input"));
  }
}

async function checkTarget(
  check: (sessionId: string, field: string) => Promise<void>,
  { action, input }: Step,
  { config }: WorkflowFields,
  field: string,
): Promise<void> {
  if (action !== "message" && action !== "choice") return;
  const stepTarget = input as { readonly target_type?: "none"; readonly target_id?: string };
  // The outputs of earlier steps are not known yet, so the target is checked when the step runs.
  if (stepTarget.target_id?.includes("{{")) return;
  const target = toTargetSession(
    assertTargetId(`${field}.input`, stepTarget.target_type === undefined ? config : stepTarget),
  );
  if (target === undefined) {
    throw automationTexts.error("bad_request", "nobody", {}, { field: `${field}.input.target_type` });
  }
  await check(target, `${field}.input.target_id`);
}
