import Joi from "@hapi/joi";
import {
  addDocuments,
  addRecords,
  addResource,
  ConsoleAreas,
  Databases,
  definePlugin,
  ElementHandlers,
  Gateway,
  JobKinds,
  Jobs,
  PromptSources,
  RecordLifecycle,
  type RecordPart,
  RecordStore,
  RouteTables,
  Schedules,
  Sessions,
  SettingDefinitions,
  Settings,
  serviceKey,
  TaskKinds,
  ToolTables,
  TransferSections,
  TurnStages,
  Upkeeps,
  withLabel,
} from "@parley/core";

import { AREA } from "./area.ts";
import { type AutomationConfig, assemble } from "./assemble.ts";
import { createSilenceStage, HEARTBEATS, heartbeatPrompt } from "./heartbeat/heartbeat.ts";
import { createAutomationRoutes } from "./routes.ts";
import { AUTOMATION_MIGRATIONS, RUN_KINDS } from "./runs/tables.ts";
import {
  AUTOMATION_ENABLED,
  CATCH_UP_JOB,
  createCatchUpJob,
  createDueJob,
  createHeartbeatDueJob,
} from "./schedules/due-job.ts";
import { createSessionLifecycle } from "./session-lifecycle.ts";
import { tasks as taskResource } from "./tasks/task-schema.ts";
import { createAutomationTools } from "./tools.ts";
import { createDisabledSection, createHeartbeatSection } from "./transfer.ts";
import { workflows as workflowResource } from "./workflows/workflow-schema.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("automation.own");

/** Runs workflows, scheduled tasks and the heartbeat, which do work without a message. */
export default definePlugin<AutomationConfig>({
  id: "automation",
  requires: [Databases, RecordStore, Settings, Jobs, Schedules, Sessions, Gateway],
  config: Joi.object<AutomationConfig, true>({
    keep_runs_days: withLabel(Joi.number().integer().min(1).max(3_650).default(90), {
      title: { en: "Keep runs for (days)", zh: "运行记录保留（天）" },
      help: { en: "Days to keep runs", zh: "运行记录保留的天数" },
    }),
    keep_runs_most: withLabel(Joi.number().integer().min(1_000).max(10_000_000).default(1_000_000), {
      title: { en: "Maximum runs kept", zh: "运行记录上限（条）" },
      help: {
        en: "Maximum number of runs. The oldest are removed first",
        zh: "运行记录的最大条数，超出时先删除最早的",
      },
    }),
    retry_pause_ms: withLabel(Joi.number().integer().min(1).max(60_000).default(1_000), {
      title: { en: "Pause before a step is retried (ms)", zh: "步骤重试间隔（毫秒）" },
      help: {
        en: "Milliseconds before a failed step is retried, doubled for each further attempt",
        zh: "失败的步骤在多少毫秒后重试；之后每次加倍",
      },
    }),
  }),
  register(context) {
    const { config, log, provide, contribute } = context;
    provide(Own, (from) => assemble(from, config, log));
    addDocuments(context, HEARTBEATS);
    addRecords(context, workflowResource);
    addRecords(context, taskResource);
    addResource(context, workflowResource, (from) => from.get(Own).workflows.records);
    addResource(context, taskResource, (from) => from.get(Own).tasks.records);
    contribute(RouteTables, (from) => createAutomationRoutes(from.get(Own)));
    contribute(SettingDefinitions, () => AUTOMATION_ENABLED);
    for (const name of [...RUN_KINDS, "earlier"] as const) contribute(JobKinds, (from) => from.get(Own).runJobs[name]);
    contribute(JobKinds, (from) => createDueJob(from.get(Own)));
    contribute(JobKinds, (from) => createHeartbeatDueJob(from.get(Own)));
    contribute(JobKinds, (from) => createCatchUpJob(from.get(Own)));
    contribute(JobKinds, (from) => from.get(Own).continueJob);
    contribute(ElementHandlers, (from) => from.get(Own).choiceHandler);
    contribute(Upkeeps, (from) => from.get(Own).cleanup);
    for (const index of [0, 1, 2, 3]) contribute(TaskKinds, (from) => from.get(Own).taskKinds[index] as never);
    contribute(ToolTables, (from) => createAutomationTools(from.get(Own)));
    contribute(TurnStages, (from) => createSilenceStage(from.get(Own)));
    contribute(PromptSources, () => heartbeatPrompt);
    contribute(
      RecordLifecycle,
      (): RecordPart => ({
        id: "automation.of-person",
        of: "person",
        tables: [
          { table: "automation_runs", with: [{ table: "automation_steps", column: "run_id" }] },
          { table: "automation_states", isKept: true },
        ],
      }),
    );
    contribute(RecordLifecycle, (from) => createSessionLifecycle(from.get(Own)));
    contribute(TransferSections, (from) =>
      createDisabledSection(
        "workflows",
        workflowResource,
        () => from.get(Own).workflows.records,
        () => from.get(RecordStore).of(workflowResource),
      ),
    );
    contribute(TransferSections, (from) =>
      createDisabledSection(
        "tasks",
        taskResource,
        () => from.get(Own).tasks.records,
        () => from.get(RecordStore).of(taskResource),
      ),
    );
    contribute(TransferSections, (from) => createHeartbeatSection(from.get(Own).heartbeat, from.get(Own).texts));
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get }) {
    await get(Databases).main.migrate("automation", AUTOMATION_MIGRATIONS);
  },
  async ready({ get, defer, log }) {
    const own = get(Own);
    await own.heartbeat.load();
    await own.endOrphans();
    await own.texts.clean();
    defer(
      get(Settings).watch(AUTOMATION_ENABLED, (isOn) => {
        if (!isOn) return;
        get(Jobs)
          .add(CATCH_UP_JOB, {})
          .catch((error) => log.error("missed runs could not be caught up", { error }));
      }),
    );
  },
});
