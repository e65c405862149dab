import { AppError, type Schedule, type Schedules, type Timing } from "@parley/core";
import type { RunKind } from "../runs/tables.ts";
import { toFieldError } from "../stored-failures.ts";
import { automationTexts } from "../texts.ts";

/** Kinds of the jobs that start due records. */
export const DUE_JOB = "automation.due";
export const HEARTBEAT_DUE_JOB = "automation.heartbeat";
const MINUTE_MS = 60_000;
const DEFAULT_CRON = "0 8 * * *";
const DEFAULT_INTERVAL_MINUTES = 60;

/** Schedule of a record. */
export interface Plan {
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

/** Keeps the schedules consistent with their records. */
export interface Planner {
  /** Validates the plan of a record; throws `bad_request`. */
  check(record: Plan): void;
  put(record: Plan, kind: RunKind): Promise<void>;
  remove(id: string): Promise<void>;
  /** Returns the schedules of these ids. */
  getByIds(ids: readonly string[]): Promise<ReadonlyMap<string, Schedule>>;
  /** Returns at most `count` planned times up to `untilMs`, as Unix milliseconds. */
  preview(record: Plan, count: number, untilMs: number): readonly number[];
}

/** Returns the timing of a record; undefined when it is started only manually. */
export function toTiming({ trigger, config }: Plan): Timing | undefined {
  const zone = config.timezone === undefined ? {} : { timezone: config.timezone };
  switch (trigger) {
    case "manual":
      return undefined;
    case "cron":
      return { cron: config.cron ?? DEFAULT_CRON, ...zone };
    case "interval":
      return { everyMs: (config.interval_minutes ?? DEFAULT_INTERVAL_MINUTES) * MINUTE_MS };
    case "date":
      return { at: Date.parse(config.run_at ?? "") };
  }
}

const toScheduleId = (id: string) => `automation.${id}`;

export function createPlanner(schedules: () => Schedules): Planner {
  return {
    check(record) {
      const { trigger, config, enabled } = record;
      if (trigger === "date" && config.run_at === undefined) {
        throw automationTexts.error("bad_request", "no_date", {}, { field: "config.run_at" });
      }
      const timing = toTiming(record);
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
        throw toFieldError(field[trigger], error.message.replace(/^\w+: /, ""), error.detail);
      }
    },
    async put(record, kind) {
      const { id, enabled } = record;
      const timing = toTiming(record);
      if (!timing) {
        await schedules().remove(toScheduleId(id));
        return;
      }
      const job = kind === "heartbeat" ? HEARTBEAT_DUE_JOB : DUE_JOB;
      await schedules().put({ id: toScheduleId(id), kind: job, payload: { kind, id }, ...timing, enabled });
    },
    async remove(id) {
      await schedules().remove(toScheduleId(id));
    },
    async getByIds(ids) {
      const found = await schedules().byIds(ids.map(toScheduleId));
      return new Map(
        ids.flatMap((id) => {
          const schedule = found.get(toScheduleId(id));
          return schedule ? [[id, schedule]] : [];
        }),
      );
    },
    preview(record, count, untilMs) {
      const timing = toTiming(record);
      return timing && record.enabled ? schedules().preview(timing, count, untilMs) : [];
    },
  };
}
