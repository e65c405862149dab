import Joi from "@hapi/joi";
import {
  Checks,
  Clock,
  ConsoleAreas,
  type Database,
  Databases,
  definePlugin,
  Environment,
  JobKinds,
  Jobs,
  jobKind,
  LiveEvents,
  type Logger,
  Nodes,
  newId,
  Probes,
  RecordLifecycle,
  type RecordPart,
  Redaction,
  type Resolver,
  RouteTables,
  Schedules,
  Settings,
  Signals,
  serviceKey,
} from "@parley/core";
import { jobsCheck } from "./check.ts";
import { createDispatcher, type Dispatcher } from "./dispatcher.ts";
import { createFailPoint } from "./fail-point.ts";
import { createJobCounts } from "./job-counts.ts";
import { createJobEnds } from "./job-ends.ts";
import { createJobEvents } from "./job-events.ts";
import { createJobStore } from "./job-store.ts";
import { createJobViews } from "./job-views.ts";
import { createJobs, type RunningJobs } from "./jobs.ts";
import { createKinds } from "./kinds.ts";
import { createOtherProcesses } from "./other-processes.ts";
import { jobsProbe } from "./probe.ts";
import { jobRoutes } from "./routes.ts";
import { jobLine } from "./said-lines.ts";
import { createScheduleStore } from "./schedule-store.ts";
import { createScheduler } from "./scheduler.ts";
import { createSchedules } from "./schedules.ts";
import { JOB_MIGRATIONS } from "./tables.ts";

const DAY_MS = 86_400_000;
const PRUNE = "jobs.prune";

interface JobsConfig {
  readonly concurrency: number;
  readonly drain_s: number;
  readonly keep_done_days: number;
  readonly keep_dead_days: number;
  readonly keep_most: number;
}

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("jobs.own");

/** Durable work outside a turn: jobs, their retries, and schedules. */
export default definePlugin<JobsConfig>({
  id: "jobs",
  requires: [Databases, Settings],
  config: Joi.object<JobsConfig, true>({
    concurrency: Joi.number().integer().min(1).max(1_000).default(32).description("Jobs that run at the same time"),
    drain_s: Joi.number()
      .min(0)
      .max(5)
      .default(2)
      .description("Seconds for jobs to finish when the service stops. Unfinished jobs run again at the next start"),
    keep_done_days: Joi.number().min(1).max(3_650).default(7).description("Days to keep finished jobs"),
    keep_dead_days: Joi.number().min(1).max(3_650).default(30).description("Days to keep failed and cancelled jobs"),
    keep_most: Joi.number()
      .integer()
      .min(1_000)
      .max(10_000_000)
      .default(50_000)
      .description("Maximum number of finished jobs. The oldest are removed first"),
  }),
  register({ config, log, provide, contribute }) {
    provide(Own, (from) => assemble(from, config, log));
    provide(Jobs, (from) => from.get(Own).jobs);
    provide(Schedules, (from) => from.get(Own).schedules);
    contribute(RouteTables, (from) => jobRoutes(from.get(Jobs), from.get(Schedules)));
    contribute(ConsoleAreas, () => ({
      id: "jobs",
      group: "automation" as const,
      title: { en: "Jobs", zh: "作业" },
      icon: "clock" as const,
      order: 90,
      view: { kind: "page" as const, page: "jobs" },
    }));
    contribute(Probes, (from) => from.get(Own).probe);
    contribute(Checks, (from) => from.get(Own).check);
    contribute(
      RecordLifecycle,
      (): RecordPart => ({
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
      }),
    );
    contribute(JobKinds, (from) => from.get(Own).pruning);
  },
  async start({ get, defer }) {
    const own = get(Own);
    await get(Databases).main.migrate("jobs", JOB_MIGRATIONS);
    defer(() => own.events[Symbol.dispose]());
  },
  async ready({ get, defer }) {
    const { dispatcher, scheduler, kinds, listen } = get(Own);
    kinds.look();
    await get(Schedules).put({ id: PRUNE, kind: PRUNE, payload: {}, everyMs: 3_600_000, madeUpWithinMs: DAY_MS });
    defer(listen());
    await dispatcher.start();
    defer(() => dispatcher.stop());
    scheduler.start();
    defer(() => scheduler.stop());
  },
});

function assemble(from: Resolver, config: JobsConfig, logger: Logger) {
  const clock = from.get(Clock);
  const settings = from.get(Settings);
  const redaction = from.get(Redaction);
  const failPoint = createFailPoint(from.get(Environment));
  const databases = () => from.get(Databases);
  const database = (): Database => databases().main;
  const isShared = () => databases().isShared === true;
  const others = createOtherProcesses({ database, signals: () => from.find(Signals), log: logger });
  const kinds = createKinds(() => from.all(JobKinds));
  const ends = createJobEnds(kinds, logger);
  const store = createJobStore({
    database,
    clock,
    owner: newId("boot"),
    isShared,
    cancelling: others.cancelling,
    ends,
  });
  const scheduleStore = createScheduleStore(database, others.planning);
  const views = createJobViews({ database, kinds, redaction });
  const counts = createJobCounts();
  const events = createJobEvents(from.get(LiveEvents));
  const recount = async () => counts.load(await views.counts());
  const changed = events.changed;
  const dispatcher: Dispatcher = createDispatcher({
    store,
    ends,
    kinds,
    counts,
    clock,
    logger,
    redaction,
    failPoint,
    random: Math.random,
    places: config.concurrency,
    drainMs: config.drain_s * 1_000,
    isShared,
    isDraining: () => from.find(Nodes)?.isDraining() ?? false,
    recount,
    tellWaiting: others.tellWaiting,
    changed,
    prune: () => {
      jobs.add(PRUNE, {}).catch((error) => logger.warn("old jobs could not be removed", { error }));
    },
  });
  const jobs: RunningJobs = createJobs({ store, views, kinds, counts, dispatcher, clock, failPoint, changed });
  const plan = { store: scheduleStore, jobStore: store, kinds, settings, clock };
  const scheduler = createScheduler({ ...plan, jobs: () => jobs, logger, failPoint, isShared });
  const pruning = jobKind({
    kind: PRUNE,
    titles: { en: "Remove old jobs", zh: "清理旧作业" },
    schema: Joi.object({}),
    concurrency: 1,
    async run(_payload, { log }) {
      const now = clock.now();
      const { keep_done_days, keep_dead_days, keep_most } = config;
      const removed = await store.prune(now - keep_done_days * DAY_MS, now - keep_dead_days * DAY_MS, keep_most);
      await recount();
      log(jobLine("removed", { count: removed }));
    },
  });
  const overdueMs = async () => Math.max(0, clock.now() - ((await views.firstDueMs()) ?? clock.now()));
  const listen = () => {
    const ends = [
      others.listen({ waits: dispatcher.wake, canceled: (id) => void dispatcher.cancel(id), planned: scheduler.wake }),
      from.find(Nodes)?.onDraining(() => dispatcher.wake()),
    ];
    return () => {
      for (const end of ends) end?.();
    };
  };
  return {
    events,
    listen,
    kinds,
    dispatcher,
    scheduler,
    jobs,
    schedules: createSchedules({ ...plan, jobs, scheduler, database }),
    probe: jobsProbe({ counts, trouble: dispatcher.trouble, overdueMs }),
    check: jobsCheck({ counts, trouble: dispatcher.trouble, overdueMs }),
    pruning,
  };
}
