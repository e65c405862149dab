import { Cron, CronPattern } from "croner";
import { jobsTexts } from "../texts.ts";
import { getWallClock } from "./wall-clock.ts";

const CRON_FIELDS = /^[\d*,/-]+ [\d*,/-]+ [\d*,/-]+ [\da-z*,/-]+ [\da-z*,/-]+$/i;
const MAX_MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The planned times of a cron line in a time zone. */
export interface CronSchedule {
  /** Returns the first time after an instant; undefined when there is none. */
  next(afterMs: number): number | undefined;
}

/** Parses a cron expression; `bad_request` for an invalid one, one that is never due, and an unknown time zone. */
export function parseCron(line: string, timezone: string): CronSchedule {
  const pattern = toCronPattern(line.trim().replaceAll(/\s+/g, " "));
  const clock = openWallClock(timezone);
  return {
    next(afterMs) {
      let wall: Date | null = new Date(clock.toWallTime(afterMs));
      for (;;) {
        wall = pattern.nextRun(wall);
        if (!wall) return undefined;
        const instant = clock.toInstant(wall.getTime());
        // A local time that occurs twice counts only once.
        if (instant > afterMs) return instant;
      }
    },
  };
}

function toCronPattern(line: string): Cron {
  // Seconds, years, nicknames and extensions differ between programs.
  if (!CRON_FIELDS.test(line)) {
    throw jobsTexts.error("bad_request", "cron_fields", {}, { field: "cron" });
  }
  try {
    // UTC, so that every local time occurs once; the wall clock applies the time zone.
    const cron = new Cron(line, { mode: "5-part", utcOffset: 0, paused: true });
    const { day, month, starDOW } = new CronPattern(line, "UTC", { mode: "5-part" });
    const comes = !starDOW || month.some((isSet, at) => isSet && day.indexOf(1) < (MAX_MONTH_DAYS[at] ?? 0));
    if (comes) return cron;
  } catch (cause) {
    const reason = (cause as Error).message.replace(/^CronPattern: /, "");
    throw jobsTexts.error("bad_request", "cron_wrong", { reason }, { field: "cron", cause });
  }
  throw jobsTexts.error("bad_request", "cron_day", {}, { field: "cron" });
}

function openWallClock(timezone: string) {
  try {
    return getWallClock(timezone);
  } catch (cause) {
    throw jobsTexts.error("bad_request", "no_zone", {}, { field: "timezone", cause });
  }
}
