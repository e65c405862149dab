import { type HttpReply, type Models, notFound, reply, type SpeakOrder } from "@parley/core";
import { combineSpeakOrders, readSpeakOrder } from "../authorship.ts";
import type { Heartbeat } from "../heartbeat/heartbeat.ts";
import { HEARTBEAT } from "../heartbeat/heartbeat-schema.ts";
import type { Tasks } from "../tasks/tasks.ts";
import { needsModel, toWorkflowOrder, type Workflows } from "../workflows/workflows.ts";
import type { Run } from "./run-views.ts";
import type { Runs } from "./runs.ts";
import type { RunKind, RunTable, RunTrigger } from "./tables.ts";

const MAX_WAIT_MS = 300_000;

/** Options of a start. */
export interface Start {
  readonly trigger: RunTrigger;
  readonly content?: string;
  /** Order of the person who starts it. That person's right counts for provided content or inputs. */
  readonly by?: SpeakOrder;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly runId?: string;
  readonly traceId?: string;
  readonly parent?: Pick<RunTable, "depth" | "owner_name">;
}

/** A record that can run. */
export interface Runnable {
  readonly name: string;
  readonly enabled: boolean;
  readonly trigger: "manual" | "cron" | "interval" | "date";
  readonly needsModel: boolean;
  /** Order with the right to send to people on platforms. */
  readonly speaks: SpeakOrder;
  /** Returns the order that is stored with the run. */
  toOrder(start: Start): object;
}

/** Starts runs of all kinds of records. */
export interface Starter {
  find(kind: RunKind, id: string): Promise<Runnable | undefined>;
  /** Starts a run. Rejects with `not_found`, with `conflict` while it runs, or with `unavailable` without a model. */
  start(kind: RunKind, id: string, start: Start): Promise<Run>;
  /** Starts a run and returns the response of the route: at once, or with `wait` at the end of the run. */
  answer(kind: RunKind, id: string, start: Start, wait: boolean, signal: AbortSignal): Promise<HttpReply>;
}

export interface StarterDeps {
  readonly workflows: Workflows;
  readonly tasks: () => Tasks;
  readonly heartbeat: Heartbeat;
  readonly runs: Runs;
  readonly models: () => Models;
}

export function createStarter({ workflows, tasks, heartbeat, runs, models }: StarterDeps): Starter {
  const find: Starter["find"] = async (kind, id) => {
    if (kind === "workflow") {
      const workflow = await workflows.find(id);
      return (
        workflow && {
          ...workflow,
          speaks: readSpeakOrder(workflow),
          needsModel: needsModel(workflow),
          toOrder: ({ content = "", inputs = {} }) => toWorkflowOrder(workflow, content, inputs),
        }
      );
    }
    if (kind === "task") {
      const task = await tasks().find(id);
      if (!task) return undefined;
      const { name, prompt, target_session_id } = task;
      return {
        ...task,
        speaks: readSpeakOrder(task),
        needsModel: true,
        toOrder: () => ({ id, name, prompt, target_session_id }),
      };
    }
    if (id !== HEARTBEAT) return undefined;
    const config = await heartbeat.get();
    const { enabled } = config;
    const speaks = readSpeakOrder(config);
    return { name: "Heartbeat", enabled, trigger: "interval", speaks, needsModel: true, toOrder: () => config };
  };
  const start: Starter["start"] = async (kind, id, request) => {
    const record = await find(kind, id);
    if (!record) throw notFound(kind, id);
    // Rejects before the run is accepted when no model can answer.
    if (record.needsModel) await models().choose("chat");
    const { trigger, runId, traceId, parent } = request;
    return runs.start({
      kind,
      ownerId: id,
      ownerName: record.name,
      trigger,
      order: { ...record.toOrder(request), speaks: toSpeakRight(record, request) },
      ...(runId !== undefined && { runId }),
      ...(traceId !== undefined && { traceId }),
      ...(parent && { parent }),
    });
  };
  return {
    find,
    start,
    async answer(kind, id, asked, wait, signal) {
      const started = await start(kind, id, asked);
      const run = wait ? await runs.wait(started.run_id, MAX_WAIT_MS, signal) : started;
      if (wait && run.finished_at !== null) return reply({ data: run });
      const { run_id, status, trace_id } = run;
      return reply({ status: 202, data: { run_id, status, trace_id } });
    },
  };
}

/** Returns the order of a start: a person who provides content needs the right in addition to the author. */
function toSpeakRight({ speaks }: Runnable, { by, content = "", inputs = {} }: Start): SpeakOrder {
  return content === "" && Object.keys(inputs).length === 0 ? speaks : combineSpeakOrders(speaks, by);
}
