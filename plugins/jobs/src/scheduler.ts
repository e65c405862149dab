import { AppError, type Clock, type Logger, newId, type Settings, TIME_ZONE } from "@parley/core";
import { createAlarm } from "./alarm.ts";
import type { FailPoint } from "./fail-point.ts";
import type { JobStore, NewJob } from "./job-store.ts";
import type { RunningJobs } from "./jobs.ts";
import type { Kinds } from "./kinds.ts";
import type { ScheduleStore } from "./schedule-store.ts";
import type { ScheduleTable } from "./tables.ts";
import { planOf, timingOf } from "./timing.ts";

const AGAIN_MS = 5_000;
const LOOK_EVERY_MS = 15_000;

/** Adds the jobs of planned times when they come: sleeps until the next one. */
export interface Scheduler {
  start(): void;
  /** The next time may be another one. */
  wake(): void;
  /** Resolves when what was due is added. */
  stop(): Promise<void>;
}

export interface SchedulerParts {
  readonly store: ScheduleStore;
  readonly jobStore: JobStore;
  readonly jobs: () => Pick<RunningJobs, "added" | "checkRoom">;
  readonly kinds: Kinds;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
  readonly isShared: () => boolean;
}

export function createScheduler(parts: SchedulerParts): Scheduler {
  const { store, jobStore, jobs, kinds, settings, clock, logger, failPoint, isShared } = parts;
  const timezone = () => settings.get(TIME_ZONE);
  let isStopped = true;
  let isWanted = false;
  let working: Promise<void> | undefined;
  let unfollow = () => {};

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
        const due = await store.due(clock.now());
        for (const row of due) await come(row);
        if (due.length > 0) isWanted = true;
        else alarm.set(await nextMs());
      } catch (error) {
        logger.error("schedules cannot be kept now", { error });
        alarm.set(clock.now() + AGAIN_MS);
      }
    }
  };
  /** What another process has planned nobody tells of. */
  const nextMs = async () => {
    const stored = await store.nextMs();
    return isShared() ? Math.min(stored ?? Number.POSITIVE_INFINITY, clock.now() + LOOK_EVERY_MS) : stored;
  };
  const come = async (row: ScheduleTable) => {
    const now = clock.now();
    const plannedMs = row.next_ms ?? now;
    const plan = planOf(timingOf(row), timezone());
    const following = { id: row.id, plannedMs, nextMs: plan.following(plannedMs, now) ?? null };
    const forMs = plan.madeUp(plannedMs, now, row.made_up_within_ms);
    const job = forMs === undefined ? undefined : jobFor(row, forMs, now);
    if (forMs === undefined || !job) return store.skip(following);
    if (!(await store.fire(following, forMs, job.id, jobStore.addition(job)))) return;
    failPoint("schedule-fired");
    jobs().added(job);
  };
  /** Undefined when none of its kind can be added now. */
  const jobFor = ({ id, kind, payload }: ScheduleTable, forMs: number, now: number): NewJob | undefined => {
    try {
      jobs().checkRoom(kind);
      const key = `${id}@${new Date(forMs).toISOString()}`;
      const job = kinds.jobOf(kind, JSON.parse(payload), { key }, now);
      return { ...job, id: newId("job", now), scheduleId: id };
    } catch (error) {
      if (!AppError.is(error)) throw error;
      logger.warn("a planned time is left out", { schedule: id, reason: error.message });
      return undefined;
    }
  };
  const zoneChanged = async () => {
    for (const row of await store.withoutZone()) {
      const nextMs = planOf(timingOf(row), timezone()).first(clock.now());
      if (row.next_ms !== null) await store.move({ id: row.id, plannedMs: row.next_ms, nextMs });
    }
    wake();
  };

  return {
    start() {
      isStopped = false;
      unfollow = settings.watch(TIME_ZONE, () => {
        zoneChanged().catch((error) => logger.error("schedules could not follow the time zone", { error }));
      });
      wake();
    },
    wake,
    async stop() {
      isStopped = true;
      unfollow();
      alarm.stop();
      await working;
    },
  };
}
