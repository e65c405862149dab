import { AppError, type Timing } from "@parley/core";
import { cronLine } from "./cron.ts";
import { jobFailure } from "./said-failures.ts";
import type { ScheduleTable } from "./tables.ts";

const MIN_EVERY_MS = 1_000;
const MAX_EVERY_MS = 366 * 86_400_000;
const MAX_TIME_MS = 8.64e15;

/** The planned times of a schedule. */
export interface Plan {
  /** The first one after now; `bad_request` when there is none. */
  first(nowMs: number): number;
  /** The one after a planned time that is over, still to come. */
  following(plannedMs: number, nowMs: number): number | undefined;
  /** Of those from a planned time on the last one that is over, if it is at most `withinMs` ago. */
  madeUp(plannedMs: number, nowMs: number, withinMs: number): number | undefined;
}

/** `bad_request` for a timing that is none. */
export function planOf({ cron, everyMs, at, timezone }: Timing, defaultTimezone: string): Plan {
  if ([cron, everyMs, at].filter((one) => one !== undefined).length !== 1) {
    throw new AppError("bad_request", "a schedule has one of cron, an interval and a time");
  }
  if (cron !== undefined) return cronPlan(cron, timezone ?? defaultTimezone);
  if (everyMs !== undefined) return intervalPlan(everyMs);
  return datePlan(checkedTime(at, "at"));
}

/** `bad_request` for what is no time in milliseconds since the epoch. */
export function checkedTime(ms: unknown, name: string): number {
  if (typeof ms !== "number" || !Number.isFinite(ms) || ms < 0 || ms > MAX_TIME_MS) {
    throw new AppError("bad_request", `${name}: must be a time in milliseconds since 1970`);
  }
  return Math.ceil(ms);
}

function cronPlan(cron: string, timezone: string): Plan {
  const line = cronLine(cron, timezone);
  return {
    first(nowMs) {
      const first = line.next(nowMs);
      if (first === undefined) throw jobFailure("bad_request", "cron_never", {}, { field: "cron" });
      return first;
    },
    following: (_plannedMs, nowMs) => line.next(nowMs),
    madeUp(plannedMs, nowMs, withinMs) {
      for (const backMs of BACK_MS) {
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

/** How far one looks back for the last time, so that never many lie on the way. */
const BACK_MS = [300_000, 3_600_000, 86_400_000, 30 * 86_400_000, Number.POSITIVE_INFINITY];

function intervalPlan(everyMs: number): Plan {
  if (!Number.isInteger(everyMs) || everyMs < MIN_EVERY_MS || everyMs > MAX_EVERY_MS) {
    throw new AppError("bad_request", "an interval is from 1 second to 366 days");
  }
  const lastBy = (plannedMs: number, nowMs: number) => plannedMs + Math.floor((nowMs - plannedMs) / everyMs) * everyMs;
  return {
    first: (nowMs) => nowMs + everyMs,
    following: (plannedMs, nowMs) => lastBy(plannedMs, nowMs) + everyMs,
    madeUp(plannedMs, nowMs, withinMs) {
      const last = lastBy(plannedMs, nowMs);
      return nowMs - last <= withinMs ? last : undefined;
    },
  };
}

function datePlan(at: number): Plan {
  return {
    first(nowMs) {
      if (at <= nowMs) throw jobFailure("bad_request", "time_over");
      return at;
    },
    following: () => undefined,
    madeUp: (plannedMs, nowMs, withinMs) => (nowMs - plannedMs <= withinMs ? plannedMs : undefined),
  };
}

export function timingOf({ cron, every_ms, at_ms, timezone }: ScheduleTable): Timing {
  return {
    ...(cron !== null && { cron }),
    ...(every_ms !== null && { everyMs: every_ms }),
    ...(at_ms !== null && { at: at_ms }),
    ...(timezone !== null && { timezone }),
  };
}
