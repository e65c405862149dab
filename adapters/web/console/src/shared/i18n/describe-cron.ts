const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
// A Sunday.
const FIRST_SUNDAY = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

/** A schedule in words. */
export interface CronDescription {
  /** The weekdays, where not all; such as `Mon–Fri`. */
  readonly days: string | undefined;
  /** The time of day. */
  readonly time: string;
}

/** Describes a plain schedule such as `0 8 * * 1-5` in a language; undefined for one with more than a time and weekdays. */
export function describeCron(cron: string, language: string): CronDescription | undefined {
  const [minute = "", hour = "", date, month, weekdays = "", ...rest] = cron.trim().toLowerCase().split(/\s+/);
  if (rest.length > 0 || date !== "*" || month !== "*" || !isInRange(60, minute) || !isInRange(24, hour))
    return undefined;
  const parts = weekdays === "*" ? [] : weekdays.split(",").map((part) => part.split("-").map(parseWeekday));
  if (parts.some((part) => part.length > 2 || part.includes(undefined))) return undefined;
  const named = parts.map((part) => part.map((day = 0) => weekdayName(day, language)).join("–"));
  return {
    days: named.length === 0 ? undefined : new Intl.ListFormat(language, { type: "unit" }).format(named),
    time: new Intl.DateTimeFormat(language, { timeStyle: "short", timeZone: "UTC" }).format(
      FIRST_SUNDAY + (Number(hour) * 60 + Number(minute)) * 60_000,
    ),
  };
}

function isInRange(end: number, written: string): boolean {
  return /^\d{1,2}$/.test(written) && Number(written) < end;
}

/** Sunday is 0 and 7. */
function parseWeekday(written: string): number | undefined {
  if (/^[0-7]$/.test(written)) return Number(written) % 7;
  const day = DAYS.indexOf(written);
  return day < 0 ? undefined : day;
}

function weekdayName(day: number, language: string): string {
  return new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" }).format(FIRST_SUNDAY + day * DAY_MS);
}
