import {
  Clock,
  type Database,
  Databases,
  Environment,
  JobKinds,
  LiveEvents,
  type Logger,
  Nodes,
  newId,
  Redaction,
  type Resolver,
  Settings,
  Signals,
  Upkeeps,
} from "@parley/core";
import { createJobsCheck } from "./check.ts";
import { createJobsCluster } from "./cluster.ts";
import type { JobsConfig } from "./config.ts";
import { createJobEvents } from "./job-events.ts";
import { createJobs, type JobService } from "./jobs.ts";
import { createJobsProbe } from "./probe.ts";
import { createPruneUpkeep, PRUNE_UPKEEP } from "./prune.ts";
import { createDispatcher } from "./run/dispatcher.ts";
import { createFailPoint } from "./run/fail-point.ts";
import { createJobEndEffects } from "./run/job-end-effects.ts";
import { createJobKinds } from "./run/job-kinds.ts";
import { createScheduler } from "./schedule/scheduler.ts";
import { createSchedules } from "./schedule/schedules.ts";
import { createJobCounts } from "./store/job-counts.ts";
import { createJobStore } from "./store/job-store.ts";
import { createJobViews } from "./store/job-views.ts";
import { createScheduleStore } from "./store/schedule-store.ts";
import { toJobKind } from "./upkeep.ts";

/** Creates the services of the plugin: jobs with their dispatcher, and schedules. */
export function assemble(from: Resolver, config: JobsConfig, logger: Logger) {
  const storage = assembleStorage(from, logger);
  const { views, kinds, counts, cluster, clock, failPoint, isShared } = storage;
  const jobStore = storage.store;
  const events = createJobEvents(from.get(LiveEvents));
  const dispatcher = createDispatcher({
    ...storage,
    logger,
    redaction: from.get(Redaction),
    random: Math.random,
    concurrency: config.concurrency,
    drainMs: config.drain_s * 1_000,
    isDraining: () => from.find(Nodes)?.isDraining() ?? false,
    broadcastWaiting: cluster.broadcastWaiting,
    onJobChanged: events.notifyChanged,
    prune: () => {
      jobs.add(PRUNE_UPKEEP, {}).catch((error) => logger.warn("old jobs could not be removed", { error }));
    },
  });
  const jobs: JobService = createJobs({ ...storage, dispatcher, onJobChanged: events.notifyChanged });
  const scheduling = { store: storage.scheduleStore, jobStore, kinds, settings: from.get(Settings), clock };
  const scheduler = createScheduler({ ...scheduling, jobs: () => jobs, logger, failPoint, isShared });
  const getOverdueMs = async () => Math.max(0, clock.now() - ((await views.findFirstDueMs()) ?? clock.now()));
  const health = { counts, getStorageError: dispatcher.getStorageError, getOverdueMs };
  return {
    events,
    kinds,
    dispatcher,
    scheduler,
    cluster,
    jobs,
    schedules: createSchedules({ ...scheduling, jobs, scheduler, database: storage.database }),
    probe: createJobsProbe(health),
    check: createJobsCheck(health),
    pruneUpkeep: createPruneUpkeep({ ...storage, config }),
  };
}

/** Creates the stores, the job kinds, and the signals to other processes. */
function assembleStorage(from: Resolver, logger: Logger) {
  const clock = from.get(Clock);
  const database = (): Database => from.get(Databases).main;
  const isShared = () => from.get(Databases).isShared === true;
  const cluster = createJobsCluster({ database, signals: () => from.find(Signals), log: logger });
  const kinds = createJobKinds(() => [...from.all(JobKinds), ...from.all(Upkeeps).map(toJobKind)]);
  const ends = createJobEndEffects(kinds, logger);
  const views = createJobViews({ database, kinds, redaction: from.get(Redaction) });
  const counts = createJobCounts();
  const rebuildCounts = async () => counts.load(await views.counts());
  const jobWrites = { toCancelWrites: cluster.toCancelWrites, endEffects: ends };
  const store = createJobStore({ database, clock, owner: newId("boot"), isShared, ...jobWrites });
  const scheduleStore = createScheduleStore(database, cluster.toScheduleChangeWrites);
  const stores = { store, scheduleStore, views, counts, rebuildCounts };
  const failPoint = createFailPoint(from.get(Environment));
  return { ...stores, clock, failPoint, database, isShared, cluster, kinds, ends };
}
