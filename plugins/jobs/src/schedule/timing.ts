import { AppError, type Timing } from "@parley/core";
import type { ScheduleTable } from "../store/tables.ts";
import { jobsTexts } from "../texts.ts";
import { parseCron } from "./cron.ts";

const MIN_EVERY_MS = 1_000;
const MAX_EVERY_MS = 366 * 86_400_000;
const MAX_TIME_MS = 8.64e15;

/** The planned times of a schedule. */
export interface Plan {
  /** Returns the first time after now; throws `bad_request` when there is none. */
  first(nowMs: number): number;
  /** Returns the next future time after a past planned one. */
  following(plannedMs: number, nowMs: number): number | undefined;
  /** Returns the last past time since `plannedMs`, if it is at most `withinMs` ago. */
  getCatchUpTime(plannedMs: number, nowMs: number, withinMs: number): number | undefined;
}

/** Creates a plan; `bad_request` for an invalid timing. */
export function createPlan({ cron, everyMs, at, timezone }: Timing, defaultTimezone: string): Plan {
  if ([cron, everyMs, at].filter((one) => one !== undefined).length !== 1) {
    throw new AppError("bad_request", "a schedule has one of cron, an interval and a time");
  }
  if (cron !== undefined) return createCronPlan(cron, timezone ?? defaultTimezone);
  if (everyMs !== undefined) return createIntervalPlan(everyMs);
  return createDatePlan(validateTime(at, "at"));
}

/** Validates a time in milliseconds since the epoch; throws `bad_request`. */
export function validateTime(ms: unknown, name: string): number {
  if (typeof ms !== "number" || !Number.isFinite(ms) || ms < 0 || ms > MAX_TIME_MS) {
    throw new AppError("bad_request", `${name}: must be a time in milliseconds since 1970`);
  }
  return Math.ceil(ms);
}

function createCronPlan(cron: string, timezone: string): Plan {
  const line = parseCron(cron, timezone);
  return {
    first(nowMs) {
      const first = line.next(nowMs);
      if (first === undefined) throw jobsTexts.error("bad_request", "cron_never", {}, { field: "cron" });
      return first;
    },
    following: (_plannedMs, nowMs) => line.next(nowMs),
    getCatchUpTime(plannedMs, nowMs, withinMs) {
      for (const backMs of LOOKBACK_MS) {
        const fromMs = Math.max(plannedMs, nowMs - Math.min(backMs, withinMs));
        let last: number | undefined;
        let next = line.next(fromMs - 1);
        while (next !== undefined && next <= nowMs) {
          last = next;
          next = line.next(next);
        }
        if (last !== undefined || backMs >= withinMs || fromMs === plannedMs) return last;
      }
      return undefined;
    },
  };
}

/** Increasing ranges to search back for the last time, so that few times need to be enumerated. */
const LOOKBACK_MS = [300_000, 3_600_000, 86_400_000, 30 * 86_400_000, Number.POSITIVE_INFINITY];

function createIntervalPlan(everyMs: number): Plan {
  if (!Number.isInteger(everyMs) || everyMs < MIN_EVERY_MS || everyMs > MAX_EVERY_MS) {
    throw new AppError("bad_request", "an interval is from 1 second to 366 days");
  }
  const getLastBy = (plannedMs: number, nowMs: number) =>
    plannedMs + Math.floor((nowMs - plannedMs) / everyMs) * everyMs;
  return {
    first: (nowMs) => nowMs + everyMs,
    following: (plannedMs, nowMs) => getLastBy(plannedMs, nowMs) + everyMs,
    getCatchUpTime(plannedMs, nowMs, withinMs) {
      const last = getLastBy(plannedMs, nowMs);
      return nowMs - last <= withinMs ? last : undefined;
    },
  };
}

function createDatePlan(at: number): Plan {
  return {
    first(nowMs) {
      if (at <= nowMs) throw jobsTexts.error("bad_request", "time_over");
      return at;
    },
    following: () => undefined,
    getCatchUpTime: (plannedMs, nowMs, withinMs) => (nowMs - plannedMs <= withinMs ? plannedMs : undefined),
  };
}

export function toTiming({ cron, every_ms, at_ms, timezone }: ScheduleTable): Timing {
  return {
    ...(cron !== null && { cron }),
    ...(every_ms !== null && { everyMs: every_ms }),
    ...(at_ms !== null && { at: at_ms }),
    ...(timezone !== null && { timezone }),
  };
}
