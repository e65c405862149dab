import {
  Checks,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Jobs,
  Nodes,
  Probes,
  RecordLifecycle,
  type RecordPart,
  RouteTables,
  Schedules,
  Settings,
  serviceKey,
  Upkeeps,
} from "@parley/core";
import { assemble } from "./assemble.ts";
import { followCluster } from "./cluster.ts";
import { type JobsConfig, jobsConfig } from "./config.ts";
import { createJobRoutes } from "./routes.ts";
import { JOB_MIGRATIONS } from "./store/tables.ts";
import { scheduleUpkeeps } from "./upkeep.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("jobs.own");

const AREA: ConsoleArea = {
  id: "jobs",
  group: "automation",
  title: { en: "Jobs", zh: "后台任务" },
  icon: "clock",
  order: 90,
  view: { kind: "page", page: "jobs" },
};

const PERSON_LIFECYCLE: RecordPart = {
  id: "jobs.of-person",
  of: "person",
  tables: [
    {
      table: "jobs",
      with: [
        { table: "job_logs", column: "job_id" },
        { table: "job_steps", column: "job_id" },
      ],
    },
    { table: "schedules", isKept: true },
  ],
};

/** Durable work outside a turn: jobs, their retries, and schedules. */
export default definePlugin<JobsConfig>({
  id: "jobs",
  requires: [Databases, Settings],
  config: jobsConfig,
  register({ config, log, provide, contribute }) {
    provide(Own, (from) => assemble(from, config, log));
    provide(Jobs, (from) => from.get(Own).jobs);
    provide(Schedules, (from) => from.get(Own).schedules);
    contribute(RouteTables, (from) => createJobRoutes(from.get(Jobs), from.get(Schedules)));
    contribute(Upkeeps, (from) => from.get(Own).pruneUpkeep);
    contribute(RecordLifecycle, () => PERSON_LIFECYCLE);
    contribute(Checks, (from) => from.get(Own).check);
    contribute(Probes, (from) => from.get(Own).probe);
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get, defer }) {
    const own = get(Own);
    await get(Databases).main.migrate("jobs", JOB_MIGRATIONS);
    defer(() => own.events[Symbol.dispose]());
  },
  async ready({ all, get, find, defer }) {
    const own = get(Own);
    own.kinds.refresh();
    await scheduleUpkeeps(all(Upkeeps), get(Schedules));
    defer(followCluster(own, find(Nodes)));
    await own.dispatcher.start();
    defer(() => own.dispatcher.stop());
    own.scheduler.start();
    defer(() => own.scheduler.stop());
  },
});
