import Joi from "@hapi/joi";
import { type Clock, type RouteTable, reply, route, textOf, toSharedError, toSpeakOrder } from "@parley/core";
import { answerFields, extend, listData, listQuery, shape, toggleBody, toggledData } from "@parley/core/http";
import type { Heartbeat } from "./heartbeat/heartbeat.ts";
import type { HeartbeatFiles } from "./heartbeat/heartbeat-files.ts";
import {
  contentShape,
  fileName,
  HEARTBEAT,
  type HeartbeatFields,
  heartbeatPatch,
  heartbeatShape,
  savedContentShape,
} from "./heartbeat/heartbeat-schema.ts";
import { toRunKind } from "./runs/run-kind.ts";
import type { RunQuery } from "./runs/run-store.ts";
import { runDetailShape, runShape, startedShape } from "./runs/run-views.ts";
import type { Runs } from "./runs/runs.ts";
import type { Starter } from "./runs/starter.ts";
import { RUN_KINDS, RUN_STATUSES } from "./runs/tables.ts";
import { listPlannedTimes, type PlannedSpan } from "./schedules/calendar.ts";
import type { Planner } from "./schedules/planner.ts";
import { tasks as taskResource } from "./tasks/task-schema.ts";
import type { TaskQuery, Tasks } from "./tasks/tasks.ts";
import type { Workflows } from "./workflows/workflows.ts";

export interface AutomationServices {
  readonly workflows: Workflows;
  readonly tasks: Tasks;
  readonly heartbeat: Heartbeat;
  readonly texts: HeartbeatFiles;
  readonly starter: Starter;
  readonly runs: Runs;
  readonly planner: Planner;
  readonly clock: Clock;
}

const start = { wait: Joi.boolean().default(false) };
const startBody = Joi.object<{ readonly wait: boolean }>(start);
const executeBody = Joi.object<{
  readonly content: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly wait: boolean;
}>({
  content: textOf(32_000).default(""),
  inputs: Joi.object()
    .pattern(Joi.string().pattern(/^[A-Za-z_][\w-]{0,63}$/), Joi.any())
    .max(50)
    .default({}),
  ...start,
});
const startResponse = { data: runShape, accepted: startedShape, timeoutMs: false } as const;
const time = answerFields.orNull(answerFields.time);

/** Creates the routes besides CRUD of the records. */
export function createAutomationRoutes(services: AutomationServices): RouteTable {
  return [...workflowRoutes(services), ...taskRoutes(services), ...heartbeatRoutes(services), ...runRoutes(services)];
}

function workflowRoutes({ workflows, starter }: AutomationServices): RouteTable {
  return [
    route({
      method: "POST",
      path: "/api/workflows/{workflow_id}/toggle",
      summary: "switch a workflow's schedule on or off",
      body: toggleBody,
      data: extend(toggledData, { next_run: time }),
      async run({ params, body }) {
        const { workflow, next_run } = await workflows.setEnabled(params.workflow_id, body.enabled);
        return { id: workflow.id, enabled: workflow.enabled, next_run };
      },
    }),
    route({
      method: "POST",
      path: "/api/workflows/{workflow_id}/execute",
      summary: "run a workflow now",
      body: executeBody,
      ...startResponse,
      run: ({ params, body: { wait, ...given }, caller, signal }) => {
        const start = { ...given, by: toSpeakOrder(caller), trigger: "manual" } as const;
        return starter.answer("workflow", params.workflow_id, start, wait, signal);
      },
    }),
  ];
}

function taskRoutes({ tasks, starter }: AutomationServices): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/task-center",
      summary: "list scheduled records: the heartbeat, workflows, tasks",
      query: listQuery<TaskQuery>({
        kind: Joi.string().valid("custom", "heartbeat", "workflow"),
        enabled: Joi.boolean(),
      }),
      data: listData(taskResource.item),
      run: ({ query }) => tasks.list(query),
    }),
    route({
      method: "POST",
      path: "/api/task-center/{task_id}/toggle",
      summary: "switch a task on or off",
      body: toggleBody,
      data: taskResource.item,
      run: ({ params, body }) => tasks.setEnabled(params.task_id, body.enabled),
    }),
    route({
      method: "POST",
      path: "/api/task-center/{task_id}/run",
      summary: "run a task now",
      body: startBody,
      ...startResponse,
      run: ({ params, body, signal }) =>
        starter.answer(toRunKind(params.task_id), params.task_id, { trigger: "manual" }, body.wait, signal),
    }),
  ];
}

function heartbeatRoutes({ heartbeat, texts, starter }: AutomationServices): RouteTable {
  const fileOf = async (file: string | undefined) => file ?? (await heartbeat.get()).content_file;
  const tagged = (data: { readonly etag: string }) => reply({ data, headers: { etag: data.etag } });
  return [
    route({
      method: "GET",
      path: "/api/heartbeat",
      summary: "get the settings of the heartbeat",
      data: heartbeatShape,
      run: () => heartbeat.getView(),
    }),
    route({
      method: "PUT",
      path: "/api/heartbeat",
      summary: "change the settings of the heartbeat",
      body: heartbeatPatch,
      data: heartbeatShape,
      async run({ body, caller, ifMatch }) {
        if (Object.keys(body).length === 0) throw toSharedError("bad_request", "nothing_to_update", {});
        await heartbeat.change(body as Partial<HeartbeatFields>, { caller, ifMatch });
        return heartbeat.getView();
      },
    }),
    route({
      method: "POST",
      path: "/api/heartbeat/run",
      summary: "run the heartbeat now",
      body: startBody,
      ...startResponse,
      run: ({ body, signal }) => starter.answer("heartbeat", HEARTBEAT, { trigger: "manual" }, body.wait, signal),
    }),
    route({
      method: "GET",
      path: "/api/heartbeat/content",
      summary: "get the text of the heartbeat",
      query: Joi.object<{ readonly file?: string }>({ file: fileName }),
      data: contentShape,
      run: async ({ query }) => tagged(await texts.read(await fileOf(query.file))),
    }),
    route({
      method: "PUT",
      path: "/api/heartbeat/content",
      summary: "replace the text of the heartbeat",
      body: Joi.object<{ readonly content: string; readonly file?: string }>({
        content: textOf(100_000).required(),
        file: fileName,
      }),
      data: savedContentShape,
      async run({ body, caller, ifMatch }) {
        const file = await fileOf(body.file);
        const written = await texts.write(file, body.content, ifMatch);
        await heartbeat.onTextChanged(file, caller);
        return tagged(written);
      },
    }),
  ];
}

interface CalendarQuery {
  readonly days: number;
}

const plannedTimesShape = shape(
  {
    id: answerFields.id,
    kind: answerFields.word(...RUN_KINDS),
    name: answerFields.text,
    times: answerFields.listOf(answerFields.time),
    spans: answerFields.listOf(
      shape<PlannedSpan>(
        { from: answerFields.time, to: answerFields.time, count: answerFields.count, every_ms: answerFields.count },
        "PlannedSpan",
      ),
    ),
    more: answerFields.flag,
  },
  "PlannedTimes",
);

/** Creates the routes of runs of all kinds, and of upcoming runs. */
function runRoutes({ runs, tasks, planner, clock }: AutomationServices): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/runs",
      summary: "list runs of workflows, tasks and the heartbeat, newest first",
      query: Joi.object<RunQuery>({
        owner_id: Joi.string().max(100),
        kind: Joi.string().valid(...RUN_KINDS),
        status: Joi.string().valid(...RUN_STATUSES),
        before: Joi.string().max(100),
        limit: Joi.number().integer().min(1).default(50),
      }),
      data: shape({ items: answerFields.listOf(runShape), has_more: answerFields.flag }),
      run: ({ query }) => runs.page({ ...query, limit: Math.min(query.limit, 500) }),
    }),
    route({
      method: "GET",
      path: "/api/runs/{run_id}",
      summary: "get a run with its steps",
      data: runDetailShape,
      run: ({ params }) => runs.detail(params.run_id),
    }),
    route({
      method: "POST",
      path: "/api/runs/{run_id}/cancel",
      summary: "cancel a run",
      body: Joi.object({}),
      data: runShape,
      run: ({ params }) => runs.cancel(params.run_id),
    }),
    route({
      method: "GET",
      path: "/api/automation/calendar",
      summary: "list the next times of scheduled records",
      query: Joi.object<CalendarQuery>({ days: Joi.number().integer().min(1).max(31).default(7) }),
      data: shape({ items: answerFields.listOf(plannedTimesShape) }),
      async run({ query }) {
        return {
          items: await listPlannedTimes(await tasks.listPlanned(), planner, clock.now() + query.days * 86_400_000),
        };
      },
    }),
  ];
}
