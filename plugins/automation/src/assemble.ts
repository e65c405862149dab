import { join } from "node:path";
import {
  ChannelAdapters,
  Channels,
  Clock,
  Databases,
  Files,
  Gateway,
  GatewayLog,
  Jobs,
  LiveEvents,
  type Logger,
  MessageFilter,
  ModelCalls,
  Models,
  Paths,
  RecordStore,
  Redaction,
  type Resolver,
  resourceChanged,
  Schedules,
  Sessions,
  Settings,
  ToolGuard,
  type Upkeep,
} from "@parley/core";
import { createHeartbeat, createHeartbeatRunner, HEARTBEATS } from "./heartbeat/heartbeat.ts";
import { createHeartbeatFiles } from "./heartbeat/heartbeat-files.ts";
import { createRunJobs } from "./runs/run-job.ts";
import { createRunStore } from "./runs/run-store.ts";
import { createRuns, toAbandonedError } from "./runs/runs.ts";
import { createStarter, type Starter } from "./runs/starter.ts";
import { createPlanner } from "./schedules/planner.ts";
import { createSpeaker } from "./speaker.ts";
import { createTaskKinds } from "./tasks/task-kinds.ts";
import { createTaskRunner } from "./tasks/task-runner.ts";
import { tasks as taskResource } from "./tasks/task-schema.ts";
import { createTasks, type Tasks } from "./tasks/tasks.ts";
import { automationTexts } from "./texts.ts";
import { createChoiceHandler, createContinueJob } from "./workflows/choices.ts";
import { createWorkflowRunner } from "./workflows/workflow-runner.ts";
import { workflows as workflowResource } from "./workflows/workflow-schema.ts";
import { createWorkflows } from "./workflows/workflows.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface AutomationConfig {
  readonly keep_runs_days: number;
  readonly keep_runs_most: number;
  readonly retry_pause_ms: number;
}

/** Creates the services of the plugin. */
export function assemble(from: Resolver, config: AutomationConfig, logger: Logger) {
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
    events,
    log: () => from.find(GatewayLog),
    clock,
    redaction,
    onRunEnded({ kind, owner_id }) {
      if (kind === "task") events.publish(resourceChanged("task", owner_id, "updated"));
    },
  });
  const planner = createPlanner(() => from.get(Schedules));
  const speaker = createSpeaker({
    sessions,
    gateway,
    channels: () => from.find(Channels),
    adapters: () => from.all(ChannelAdapters),
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
    stored: from.get(RecordStore).documents(HEARTBEATS),
    runs,
    planner,
    speaker,
    sessions,
    events,
    clock,
  });
  const texts = createHeartbeatFiles(join(from.get(Paths).data, "heartbeat"));
  const starter: Starter = createStarter({ workflows, tasks: () => tasks, heartbeat, runs, models });
  const tasks: Tasks = createTasks({
    stored: () => from.get(RecordStore).of(taskResource),
    workflows,
    heartbeat,
    runs,
    store,
    planner,
    speaker,
    sessions,
    events,
  });
  const turns = { sessions, gateway };
  const runners = {
    workflow: createWorkflowRunner({
      sessions,
      speaker,
      clock,
      guard,
      models: () => from.get(ModelCalls),
      files: () => from.find(Files),
    }),
    task: createTaskRunner(turns),
    heartbeat: createHeartbeatRunner({ ...turns, texts, speaker, store, events, clock }),
  };
  const endOrphans = () => store.endOrphans(toAbandonedError(), clock.now());
  const cleanup: Upkeep = {
    name: "automation.tidy",
    title: { en: "Clean up runs of workflows and tasks", zh: "清理工作流与任务的运行记录" },
    everyMs: HOUR_MS,
    async run({ log }) {
      await endOrphans();
      const removed = await store.prune(clock.now() - config.keep_runs_days * DAY_MS, config.keep_runs_most);
      log(automationTexts.message("removed", { count: removed }));
    },
  };
  return {
    choiceHandler: createChoiceHandler({ store, database, jobs, clock }),
    continueJob: createContinueJob({ runs, clock }),
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
    cleanup,
    endOrphans,
    taskKinds: createTaskKinds(starter, runs),
    runJobs: createRunJobs({
      store,
      runs,
      runners,
      events,
      settings,
      clock,
      logger,
      redaction,
      pauseMs: config.retry_pause_ms,
    }),
  };
}
