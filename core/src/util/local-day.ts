import { AppError } from "../errors.ts";

const DAY_MS = 86_400_000;

/** Returns the date of an instant in a time zone: `2026-01-06`. */
export function dayOf(ms: number, timeZone: string): string {
  return createDayFormat(timeZone).format(ms);
}

/** Returns the first instant of a day in a time zone. */
export function startOfDay(day: string, timeZone: string): number {
  const noon = Date.parse(`${day}T12:00:00Z`);
  if (Number.isNaN(noon)) throw new AppError("bad_request", `'${day}' is not a day`);
  const format = createDayFormat(timeZone);
  // Searches the first quarter of an hour of the date, because a day does not always begin at midnight where clocks change.
  let at = noon - 36 * 3_600_000;
  while (format.format(at) < day) at += 900_000;
  return at;
}

/** A day, a week from Monday, or a month in a time zone, in Unix milliseconds. */
export interface LocalPeriod {
  readonly startMs: number;
  readonly endMs: number;
}

/** Returns the period that contains an instant. */
export function periodAt(kind: "day" | "week" | "month", ms: number, timeZone: string): LocalPeriod {
  const today = dayOf(ms, timeZone);
  const [first, next] = PERIOD_DAYS[kind](today);
  return { startMs: startOfDay(first, timeZone), endMs: startOfDay(next, timeZone) };
}

/** The first day of the period of a day, and of the next period. */
const PERIOD_DAYS = {
  day: (today: string) => [today, addDays(today, 1)],
  week(today: string) {
    const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
    return [addDays(today, -sinceMonday), addDays(today, 7 - sinceMonday)];
  },
  month(today: string) {
    const first = `${today.slice(0, 7)}-01`;
    return [first, `${addDays(first, 31).slice(0, 7)}-01`];
  },
} as const satisfies Record<string, (today: string) => readonly [string, string]>;

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function createDayFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
}
