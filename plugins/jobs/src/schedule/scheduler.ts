import { AppError, type Clock, type Logger, newId, type Settings, TIME_ZONE } from "@parley/core";
import type { JobService } from "../jobs.ts";
import { createAlarm } from "../run/alarm.ts";
import type { FailPoint } from "../run/fail-point.ts";
import type { JobKindRegistry } from "../run/job-kinds.ts";
import type { JobStore } from "../store/job-store.ts";
import type { NewJob } from "../store/new-job.ts";
import type { ScheduleStore } from "../store/schedule-store.ts";
import type { ScheduleTable } from "../store/tables.ts";
import { createPlan, toTiming } from "./timing.ts";

const RETRY_MS = 5_000;
const POLL_INTERVAL_MS = 15_000;

/** Adds jobs at their planned times; sleeps until the next one. */
export interface Scheduler {
  start(): void;
  /** Called when the next time may have changed. */
  wake(): void;
  /** Stops the scheduler; resolves once jobs for due times are added. */
  stop(): Promise<void>;
}

export interface SchedulerDeps {
  readonly store: ScheduleStore;
  readonly jobStore: JobStore;
  readonly jobs: () => Pick<JobService, "onAdded" | "checkRoom">;
  readonly kinds: JobKindRegistry;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
  readonly isShared: () => boolean;
}

export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { store, jobStore, jobs, kinds, settings, clock, logger, failPoint, isShared } = deps;
  const timezone = () => settings.get(TIME_ZONE);
  let isStopped = true;
  let isWanted = false;
  let working: Promise<void> | undefined;
  let unsubscribe = () => {};

  const alarm = createAlarm(clock, () => wake());
  const wake = () => {
    if (isStopped) return;
    isWanted = true;
    working ??= work().finally(() => {
      working = undefined;
    });
  };
  const work = async () => {
    while (isWanted && !isStopped) {
      isWanted = false;
      try {
        const due = await store.listDue(clock.now());
        for (const row of due) await fireDue(row);
        if (due.length > 0) isWanted = true;
        else alarm.set(await nextMs());
      } catch (error) {
        logger.error("schedules cannot be processed now", { error });
        alarm.set(clock.now() + RETRY_MS);
      }
    }
  };
  /** Returns the next planned time. With several processes it polls, because they do not broadcast their plans. */
  const nextMs = async () => {
    const stored = await store.findNextMs();
    return isShared() ? Math.min(stored ?? Number.POSITIVE_INFINITY, clock.now() + POLL_INTERVAL_MS) : stored;
  };
  const fireDue = async (row: ScheduleTable) => {
    const now = clock.now();
    const plannedMs = row.next_ms ?? now;
    const plan = createPlan(toTiming(row), timezone());
    const following = { id: row.id, plannedMs, nextMs: plan.following(plannedMs, now) ?? null };
    const forMs = plan.getCatchUpTime(plannedMs, now, row.made_up_within_ms);
    const job = forMs === undefined ? undefined : createJobFor(row, forMs, now);
    if (forMs === undefined || !job) return store.skip(following);
    if (!(await store.fire(following, forMs, job.id, jobStore.toAddWrite(job)))) return;
    failPoint("schedule-fired");
    jobs().onAdded(job);
  };
  /** Creates the job of a schedule; returns undefined when no job of its kind can be added now. */
  const createJobFor = ({ id, kind, payload }: ScheduleTable, forMs: number, now: number): NewJob | undefined => {
    try {
      jobs().checkRoom(kind);
      const key = `${id}@${new Date(forMs).toISOString()}`;
      const job = kinds.createJob(kind, JSON.parse(payload), { key }, now);
      return { ...job, id: newId("job", now), scheduleId: id };
    } catch (error) {
      if (!AppError.is(error)) throw error;
      logger.warn("a planned time was skipped", { schedule: id, reason: error.message });
      return undefined;
    }
  };
  const onTimeZoneChanged = async () => {
    for (const row of await store.listWithoutZone()) {
      const nextMs = createPlan(toTiming(row), timezone()).first(clock.now());
      if (row.next_ms !== null) await store.setNext({ id: row.id, plannedMs: row.next_ms, nextMs });
    }
    wake();
  };

  return {
    start() {
      isStopped = false;
      unsubscribe = settings.watch(TIME_ZONE, () => {
        onTimeZoneChanged().catch((error) => logger.error("schedules could not follow the time zone", { error }));
      });
      wake();
    },
    wake,
    async stop() {
      isStopped = true;
      unsubscribe();
      alarm.stop();
      await working;
    },
  };
}
