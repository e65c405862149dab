import { formatInterval } from "./format-duration.ts";

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const FIRST_SUNDAY = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A schedule in words: the weekdays unless all, such as `Mon–Fri`, and a time of day or an interval such as `5 minutes`. */
export type CronDescription = { readonly days: string | undefined } & (
  | { readonly time: string }
  | { readonly interval: string }
);

/**
 * Describes a plain schedule such as `0 8 * * 1-5` or `*\/5 * * * *` in a language; undefined for one with more than weekdays and
 * a time or an even interval.
 */
export function describeCron(cron: string, language: string): CronDescription | undefined {
  const [minute = "", hour = "", date, month, weekdays = "", ...rest] = cron.trim().toLowerCase().split(/\s+/);
  if (rest.length > 0 || date !== "*" || month !== "*") return undefined;
  const parts = weekdays === "*" ? [] : weekdays.split(",").map((part) => part.split("-").map(parseWeekday));
  if (parts.some((part) => part.length > 2 || part.includes(undefined))) return undefined;
  const named = parts.map((part) => part.map((day = 0) => formatWeekday(day, language)).join("–"));
  const days = named.length === 0 ? undefined : new Intl.ListFormat(language, { type: "unit" }).format(named);
  const intervalMs = readInterval(minute, hour);
  if (intervalMs !== undefined) return { days, interval: formatInterval(intervalMs, language) };
  if (!isInRange(60, minute) || !isInRange(24, hour)) return undefined;
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short", timeZone: "UTC" });
  return { days, time: time.format(FIRST_SUNDAY + (Number(hour) * 60 + Number(minute)) * MINUTE_MS) };
}

/** Returns the interval of a schedule that repeats evenly all day; undefined for any other. */
function readInterval(minute: string, hour: string): number | undefined {
  const isHourly = minute === "0";
  const [text, end, unitMs] = isHourly ? [hour, 24, HOUR_MS] : [minute, 60, MINUTE_MS];
  const step = text === "*" ? 1 : Number(/^\*\/(\d{1,2})$/.exec(text)?.[1] ?? 0);
  const isEven = step > 0 && step < end && end % step === 0;
  return isEven && (isHourly || hour === "*") ? step * unitMs : undefined;
}

function isInRange(end: number, text: string): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) < end;
}

/** Parses a weekday by name or number; Sunday is 0 or 7. */
function parseWeekday(text: string): number | undefined {
  if (/^[0-7]$/.test(text)) return Number(text) % 7;
  const day = DAYS.indexOf(text);
  return day < 0 ? undefined : day;
}

function formatWeekday(day: number, language: string): string {
  return new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" }).format(FIRST_SUNDAY + day * DAY_MS);
}
