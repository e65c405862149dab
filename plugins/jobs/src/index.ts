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
import { createJobsCheck } from "./check.ts";
import { createJobsCluster } from "./cluster.ts";
import { createJobEvents } from "./job-events.ts";
import { createJobs, type JobService } from "./jobs.ts";
import { createJobsProbe } from "./probe.ts";
import { jobRoutes } from "./routes.ts";
import { createDispatcher, type Dispatcher } from "./run/dispatcher.ts";
import { createFailPoint } from "./run/fail-point.ts";
import { createJobEndEffects } from "./run/job-end-effects.ts";
import { createJobKinds } from "./run/job-kinds.ts";
import { jobLine } from "./said-lines.ts";
import { createScheduler } from "./schedule/scheduler.ts";
import { createSchedules } from "./schedule/schedules.ts";
import { createJobCounts } from "./store/job-counts.ts";
import { createJobStore } from "./store/job-store.ts";
import { createJobViews } from "./store/job-views.ts";
import { createScheduleStore } from "./store/schedule-store.ts";
import { JOB_MIGRATIONS } from "./store/tables.ts";

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
    kinds.refresh();
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
  const others = createJobsCluster({ database, signals: () => from.find(Signals), log: logger });
  const kinds = createJobKinds(() => from.all(JobKinds));
  const ends = createJobEndEffects(kinds, logger);
  const store = createJobStore({
    database,
    clock,
    owner: newId("boot"),
    isShared,
    cancelling: others.cancelWrites,
    endEffects: ends,
  });
  const scheduleStore = createScheduleStore(database, others.scheduleWrites);
  const views = createJobViews({ database, kinds, redaction });
  const counts = createJobCounts();
  const events = createJobEvents(from.get(LiveEvents));
  const recount = async () => counts.load(await views.counts());
  const changed = events.notifyChanged;
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
    concurrency: config.concurrency,
    drainMs: config.drain_s * 1_000,
    isShared,
    isDraining: () => from.find(Nodes)?.isDraining() ?? false,
    rebuildCounts: recount,
    broadcastWaiting: others.broadcastWaiting,
    onJobChanged: changed,
    prune: () => {
      jobs.add(PRUNE, {}).catch((error) => logger.warn("old jobs could not be removed", { error }));
    },
  });
  const jobs: JobService = createJobs({
    store,
    views,
    kinds,
    counts,
    dispatcher,
    clock,
    failPoint,
    onJobChanged: changed,
  });
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
      others.listen({
        onWaiting: dispatcher.wake,
        onCanceled: (id) => void dispatcher.cancel(id),
        onScheduleChanged: scheduler.wake,
      }),
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
    probe: createJobsProbe({ counts, getStorageError: dispatcher.getStorageError, getOverdueMs: overdueMs }),
    check: createJobsCheck({ counts, getStorageError: dispatcher.getStorageError, getOverdueMs: overdueMs }),
    pruning,
  };
}
