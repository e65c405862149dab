import { join } from "node:path";
import Joi from "@hapi/joi";
import {
  addResource,
  Channels,
  Clock,
  Collections,
  ConsoleAreas,
  Databases,
  definePlugin,
  Gateway,
  GatewayLog,
  JobKinds,
  Jobs,
  jobKind,
  LiveEvents,
  type Logger,
  MessageFilter,
  ModelCalls,
  Models,
  Paths,
  PromptSources,
  RecordLifecycle,
  RecordStore,
  Redaction,
  type Resolver,
  RouteTables,
  resourceChanged,
  Schedules,
  Sessions,
  SettingDefinitions,
  Settings,
  serviceKey,
  TaskKinds,
  ToolGuard,
  ToolTables,
  TransferSections,
  TurnStages,
} from "@parley/core";

import { AREA } from "./area.ts";
import { BY_ITSELF, dueJob, makeUp } from "./due-job.ts";
import { createHeartbeat, heartbeatPrompt, heartbeatWork, type StoredHeartbeat, silenceStage } from "./heartbeat.ts";
import { createHeartbeatTexts } from "./heartbeat-content.ts";
import { sessionPart } from "./lifecycle.ts";
import { createPlanner } from "./planner.ts";
import { automationRoutes } from "./routes.ts";
import { runJob } from "./run-job.ts";
import { createRunStore } from "./run-store.ts";
import { createRuns } from "./runs.ts";
import { createStarter, type Starter } from "./starter.ts";
import { AUTOMATION_MIGRATIONS } from "./tables.ts";
import { createSpeaker } from "./targets.ts";
import { taskKinds } from "./task-kinds.ts";
import { tasks as taskResource } from "./task-schema.ts";
import { taskWork } from "./task-work.ts";
import { createTasks, type Tasks } from "./tasks.ts";
import { automationTools } from "./tools.ts";
import { disabledSection, heartbeatSection } from "./transfer.ts";
import { workflows as workflowResource } from "./workflow-schema.ts";
import { workflowWork } from "./workflow-work.ts";
import { createWorkflows } from "./workflows.ts";

const TIDY = "automation.tidy";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface AutomationConfig {
  readonly keep_runs_days: number;
  readonly keep_runs_most: number;
  readonly retry_pause_ms: number;
}

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("automation.own");

/** Workflows, scheduled tasks and the heartbeat: what runs without anybody writing. */
export default definePlugin<AutomationConfig>({
  id: "automation",
  requires: [Databases, Collections, RecordStore, Settings, Jobs, Schedules, Sessions, Gateway],
  config: Joi.object<AutomationConfig, true>({
    keep_runs_days: Joi.number().integer().min(1).max(3_650).default(90).description("How long runs are kept, in days"),
    keep_runs_most: Joi.number()
      .integer()
      .min(1_000)
      .max(10_000_000)
      .default(1_000_000)
      .description("Of more runs the oldest go earlier"),
    retry_pause_ms: Joi.number()
      .integer()
      .min(1)
      .max(60_000)
      .default(1_000)
      .description("Milliseconds before a step that failed is tried again; twice as long before each further try"),
  }),
  register(context) {
    const { config, log, provide, contribute } = context;
    provide(Own, (from) => assemble(from, config, log));
    addResource(context, workflowResource, (from) => from.get(Own).workflows.records);
    addResource(context, taskResource, (from) => from.get(Own).tasks.records);
    contribute(RouteTables, (from) => automationRoutes(from.get(Own)));
    contribute(SettingDefinitions, () => BY_ITSELF);
    contribute(JobKinds, (from) => from.get(Own).runJob);
    contribute(JobKinds, (from) => dueJob(from.get(Own)));
    contribute(JobKinds, (from) => from.get(Own).tidyJob);
    for (const index of [0, 1, 2, 3]) contribute(TaskKinds, (from) => from.get(Own).taskKinds[index] as never);
    contribute(ToolTables, (from) => automationTools(from.get(Own)));
    contribute(TurnStages, (from) => silenceStage(from.get(Own)));
    contribute(PromptSources, () => heartbeatPrompt);
    contribute(RecordLifecycle, (from) => sessionPart(from.get(Own)));
    contribute(TransferSections, (from) =>
      disabledSection(
        "workflows",
        workflowResource,
        () => from.get(Own).workflows.records,
        () => from.get(RecordStore).of(workflowResource),
      ),
    );
    contribute(TransferSections, (from) =>
      disabledSection(
        "tasks",
        taskResource,
        () => from.get(Own).tasks.records,
        () => from.get(RecordStore).of(taskResource),
      ),
    );
    contribute(TransferSections, (from) => heartbeatSection(from.get(Own).heartbeat, from.get(Own).texts));
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get }) {
    await get(Databases).main.migrate("automation", AUTOMATION_MIGRATIONS);
  },
  async ready({ get, defer, log }) {
    const own = get(Own);
    await own.heartbeat.load();
    await get(Schedules).put({ id: TIDY, kind: TIDY, payload: {}, everyMs: HOUR_MS, madeUpWithinMs: DAY_MS });
    await own.runs.tidy();
    const unwatch = get(Settings).watch(BY_ITSELF, (isOn) => {
      if (isOn) makeUp(own).catch((error) => log.error("what fell due could not be made up", { error }));
    });
    defer(unwatch);
  },
});

function assemble(from: Resolver, config: AutomationConfig, logger: Logger) {
  const [clock, events, settings, redaction] = [
    from.get(Clock),
    from.get(LiveEvents),
    from.get(Settings),
    from.get(Redaction),
  ];
  const database = () => from.get(Databases).main;
  const jobs = () => from.get(Jobs);
  const sessions = () => from.get(Sessions);
  const gateway = () => from.get(Gateway);
  const models = () => from.get(Models);
  const guard = () => from.find(ToolGuard);
  const store = createRunStore(database);
  const runs = createRuns({
    store,
    jobs,
    database,
    events,
    log: () => from.find(GatewayLog),
    clock,
    logger,
    redaction,
    told({ kind, owner_id }) {
      if (kind === "task") events.publish(resourceChanged("task", owner_id, "updated"));
    },
  });
  const planner = createPlanner(() => from.get(Schedules));
  const speaker = createSpeaker({
    sessions,
    gateway,
    channels: () => from.find(Channels),
    filter: () => from.find(MessageFilter),
  });
  const workflows = createWorkflows({
    stored: () => from.get(RecordStore).of(workflowResource),
    runs,
    store,
    planner,
    speaker,
  });
  const heartbeat = createHeartbeat({
    stored: from.get(Collections).open<StoredHeartbeat>("automation"),
    runs,
    planner,
    speaker,
    sessions,
    events,
    clock,
  });
  const texts = createHeartbeatTexts(join(from.get(Paths).data, "heartbeat"));
  const starter: Starter = createStarter({ workflows, tasks: () => tasks, heartbeat, runs, models });
  const tasks: Tasks = createTasks({
    stored: () => from.get(RecordStore).of(taskResource),
    workflows,
    heartbeat,
    runs,
    store,
    planner,
    sessions,
    events,
  });
  const turns = { sessions, gateway };
  const works = {
    workflow: workflowWork({ sessions, speaker, clock, guard, models: () => from.get(ModelCalls) }),
    task: taskWork(turns),
    heartbeat: heartbeatWork({ ...turns, texts, speaker, store, events, clock }),
  };
  const tidyJob = jobKind({
    kind: TIDY,
    titles: { en: "Look after runs of workflows and tasks", zh: "整理工作流与任务的运行记录" },
    schema: Joi.object({}),
    concurrency: 1,
    async run(_payload, { log }) {
      await runs.tidy();
      const removed = await store.prune(clock.now() - config.keep_runs_days * DAY_MS, config.keep_runs_most);
      log(`${removed} removed`);
    },
  });
  return {
    store,
    runs,
    planner,
    workflows,
    heartbeat,
    texts,
    starter,
    tasks,
    settings,
    clock,
    tidyJob,
    taskKinds: taskKinds(starter, runs),
    runJob: runJob({
      store,
      runs,
      works,
      jobs,
      events,
      settings,
      clock,
      logger,
      redaction,
      pauseMs: config.retry_pause_ms,
    }),
  };
}
