import { AppError, type Schedule, type Schedules, type Timing } from "@parley/core";
import { atField } from "./kept-failures.ts";
import { automationFailure } from "./said-failures.ts";
import type { RunKind } from "./tables.ts";

/** The kinds of job that start what is due. */
export const DUE_JOB = "automation.due";
export const HEARTBEAT_DUE_JOB = "automation.heartbeat";
const MINUTE_MS = 60_000;
const USUAL_CRON = "0 8 * * *";
const USUAL_MINUTES = 60;

/** What says when a record runs by itself. */
export interface Planned {
  readonly id: string;
  readonly enabled: boolean;
  readonly trigger: "manual" | "cron" | "interval" | "date";
  readonly config: {
    readonly cron?: string | undefined;
    readonly interval_minutes?: number | undefined;
    readonly timezone?: string | undefined;
    readonly run_at?: string | undefined;
  };
}

/** Keeps the schedules of records as the records say. */
export interface Planner {
  /** `bad_request` for what cannot be planned. */
  check(record: Planned): void;
  put(record: Planned, kind: RunKind): Promise<void>;
  remove(id: string): Promise<void>;
  /** Of those that are planned. */
  of(ids: readonly string[]): Promise<ReadonlyMap<string, Schedule>>;
  /** The planned times until an instant, at most so many; in milliseconds. */
  preview(record: Planned, count: number, untilMs: number): readonly number[];
}

/** Undefined for what is started by hand alone. */
export function timingOf({ trigger, config }: Planned): Timing | undefined {
  const zone = config.timezone === undefined ? {} : { timezone: config.timezone };
  switch (trigger) {
    case "manual":
      return undefined;
    case "cron":
      return { cron: config.cron ?? USUAL_CRON, ...zone };
    case "interval":
      return { everyMs: (config.interval_minutes ?? USUAL_MINUTES) * MINUTE_MS };
    case "date":
      return { at: Date.parse(config.run_at ?? "") };
  }
}

const scheduleId = (id: string) => `automation.${id}`;

export function createPlanner(schedules: () => Schedules): Planner {
  return {
    check(record) {
      const { trigger, config, enabled } = record;
      if (trigger === "date" && config.run_at === undefined) {
        throw automationFailure("bad_request", "no_date", {}, { field: "config.run_at" });
      }
      const timing = timingOf(record);
      if (!timing || (trigger === "date" && !enabled)) return;
      try {
        schedules().preview(timing, 1);
      } catch (error) {
        if (!AppError.is(error)) throw error;
        const field = {
          cron: "config.cron",
          interval: "config.interval_minutes",
          date: "config.run_at",
          manual: "config",
        };
        throw atField(field[trigger], error.message.replace(/^\w+: /, ""), error.detail);
      }
    },
    async put(record, kind) {
      const { id, enabled } = record;
      const timing = timingOf(record);
      if (!timing) {
        await schedules().remove(scheduleId(id));
        return;
      }
      const job = kind === "heartbeat" ? HEARTBEAT_DUE_JOB : DUE_JOB;
      await schedules().put({ id: scheduleId(id), kind: job, payload: { kind, id }, ...timing, enabled });
    },
    async remove(id) {
      await schedules().remove(scheduleId(id));
    },
    async of(ids) {
      const found = await schedules().byIds(ids.map(scheduleId));
      return new Map(
        ids.flatMap((id) => {
          const schedule = found.get(scheduleId(id));
          return schedule ? [[id, schedule]] : [];
        }),
      );
    },
    preview(record, count, untilMs) {
      const timing = timingOf(record);
      return timing && record.enabled ? schedules().preview(timing, count, untilMs) : [];
    },
  };
}
