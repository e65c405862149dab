import {
  AppError,
  type Clock,
  type Database,
  limitRows,
  newId,
  notFound,
  type Schedule,
  type ScheduleDraft,
  type Schedules,
  type Settings,
  TIME_ZONE,
  type Timing,
} from "@parley/core";
import type { JobService } from "../jobs.ts";
import type { JobKindRegistry } from "../run/job-kinds.ts";
import type { JobStore } from "../store/job-store.ts";
import { toIsoTime, toStatus } from "../store/job-views.ts";
import type { NewJob } from "../store/new-job.ts";
import type { ScheduleStore } from "../store/schedule-store.ts";
import type { JobState, ScheduleTable, Tables } from "../store/tables.ts";
import { jobsTexts } from "../texts.ts";
import type { Scheduler } from "./scheduler.ts";
import { createPlan, type Plan, toTiming, validateTime } from "./timing.ts";

const SCHEDULE_ID = /^[a-zA-Z0-9][\w.:-]{0,99}$/;
const DEFAULT_CATCH_UP_MS = 300_000;
const MAX_SCHEDULES = 10_000;
const MAX_PREVIEW_TIMES = 50;
/** Maximum count of times, enough for a week at five-minute intervals. */
const MAX_TIMES_UNTIL = 2_100;

export interface SchedulesDeps {
  readonly store: ScheduleStore;
  readonly jobStore: JobStore;
  readonly jobs: JobService;
  readonly kinds: JobKindRegistry;
  readonly scheduler: Scheduler;
  readonly database: () => Database;
  readonly settings: Settings;
  readonly clock: Clock;
}

export function createSchedules(deps: SchedulesDeps): Schedules {
  const { store, jobStore, jobs, kinds, scheduler, database, settings, clock } = deps;
  const createPlanFor = (timing: Timing) => createPlan(timing, settings.get(TIME_ZONE));
  const findRow = async (id: string) => {
    const row = await store.find(id);
    if (!row) throw notFound("schedule", id);
    return row;
  };
  const toSchedules = async (rows: readonly ScheduleTable[]): Promise<readonly Schedule[]> => {
    const ids = rows.flatMap(({ last_job_id }) => last_job_id ?? []);
    const found = ids.length === 0 ? [] : await readJobStates(database(), ids);
    const states = new Map(found.map(({ id, state }) => [id, state]));
    return rows.map((row) => toSchedule(row, kinds, states));
  };
  const view = async (id: string): Promise<Schedule> => {
    const [schedule] = await toSchedules([await findRow(id)]);
    if (!schedule) throw notFound("schedule", id);
    return schedule;
  };

  return {
    async put(draft) {
      const { id, kind, enabled, madeUpWithinMs = DEFAULT_CATCH_UP_MS } = draft;
      if (typeof id !== "string" || !SCHEDULE_ID.test(id)) {
        throw new AppError("bad_request", "id: must be up to 100 letters, digits and . _ : -");
      }
      const plan = createPlanFor(draft);
      const payload = kinds.toPayload(kind, draft.payload);
      const made_up_within_ms = validateTime(madeUpWithinMs, "madeUpWithinMs");
      const old = await store.find(id);
      const isOn = enabled ?? (old ? old.enabled === 1 : true);
      if (old && isSameTiming(old, draft, isOn)) await store.updateKind({ id, kind, payload, made_up_within_ms });
      else {
        const now = clock.now();
        const next_ms = getFirstTime(plan, isOn, now);
        const row = {
          ...toScheduleRow(draft),
          payload,
          enabled: isOn ? 1 : 0,
          made_up_within_ms,
          next_ms,
          created_ms: now,
        };
        await store.put(row, old ? [] : [limitRows("schedules", MAX_SCHEDULES, { en: "schedules", zh: "计划" })]);
      }
      scheduler.wake();
      return view(id);
    },
    remove: store.remove,
    async setEnabled(id, isEnabled) {
      const row = await findRow(id);
      if ((row.enabled === 1) !== isEnabled) {
        await store.switch(id, isEnabled, getFirstTime(createPlanFor(toTiming(row)), isEnabled, clock.now()));
        scheduler.wake();
      }
      return view(id);
    },
    async run(id) {
      const { kind, payload } = await findRow(id);
      const now = clock.now();
      const job: NewJob = {
        ...kinds.createJob(kind, JSON.parse(payload), {}, now),
        id: newId("job", now),
        scheduleId: id,
      };
      jobs.checkRoom(kind);
      if (!(await store.runNow(id, job.id, jobStore.toAddWrite(job)))) {
        throw jobsTexts.error("conflict", "schedule_busy", { id });
      }
      jobs.onAdded(job);
      return { jobId: job.id };
    },
    get: view,
    async byIds(ids) {
      const schedules = await toSchedules(await store.findMany(ids));
      return new Map(schedules.map((schedule) => [schedule.id, schedule]));
    },
    async list(asked) {
      const { items, ...page } = await store.page(asked);
      return { items: await toSchedules(items), ...page };
    },
    preview(timing, count, untilMs) {
      const plan = createPlanFor(timing);
      const times: number[] = [];
      let next: number | undefined = plan.first(clock.now());
      const most = Math.min(count, untilMs === undefined ? MAX_PREVIEW_TIMES : MAX_TIMES_UNTIL);
      while (next !== undefined && next <= (untilMs ?? next) && times.length < most) {
        times.push(next);
        next = plan.following(next, next);
      }
      return times;
    },
  };
}

function getFirstTime(plan: Plan, isOn: boolean, nowMs: number): number | null {
  return isOn ? plan.first(nowMs) : null;
}

function isSameTiming(old: ScheduleTable, { cron, everyMs, at, timezone }: ScheduleDraft, isOn: boolean): boolean {
  const given = [cron ?? null, everyMs ?? null, at ?? null, timezone ?? null];
  const timing = [old.cron, old.every_ms, old.at_ms, old.timezone];
  // A schedule with a past date is disabled, and stays disabled when its plugin stores it again.
  const isOver = old.at_ms !== null && old.next_ms === null;
  return given.every((value, index) => value === timing[index]) && ((old.enabled === 1) === isOn || isOver);
}

function toScheduleRow({ id, kind, cron, everyMs, at, timezone }: ScheduleDraft) {
  return {
    id,
    kind,
    cron: cron ?? null,
    every_ms: everyMs ?? null,
    at_ms: at ?? null,
    timezone: timezone ?? null,
    last_ms: null,
    last_job_id: null,
    run_count: 0,
    skipped_count: 0,
  };
}

function readJobStates(database: Database, ids: readonly string[]) {
  return database.tables<Tables>().selectFrom("jobs").select(["id", "state"]).where("id", "in", ids).execute();
}

function toSchedule(row: ScheduleTable, kinds: JobKindRegistry, states: ReadonlyMap<string, JobState>): Schedule {
  const time = (ms: number | null) => (ms === null ? null : toIsoTime(ms));
  const state = row.last_job_id === null ? undefined : states.get(row.last_job_id);
  return {
    id: row.id,
    kind: row.kind,
    titles: kinds.find(row.kind)?.titles ?? null,
    cron: row.cron,
    every_ms: row.every_ms,
    at: time(row.at_ms),
    timezone: row.timezone,
    enabled: row.enabled === 1,
    made_up_within_ms: row.made_up_within_ms,
    next_run: time(row.next_ms),
    last_run: time(row.last_ms),
    last_job: state && row.last_job_id !== null ? { id: row.last_job_id, status: toStatus(state) } : null,
    run_count: row.run_count,
    skipped_count: row.skipped_count,
  };
}
