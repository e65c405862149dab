/** Kind of time field: a date, a time of day, or both. */
export type TimeKind = "day" | "time" | "moment";

const DAY = /^(\d{4})\D(\d{1,2})\D(\d{1,2})日?$/;
const TIME = /^(\d{1,2}):(\d{2})(?::\d{2})?$/;

/**
 * Parses a typed time to `2026-03-01`, `08:30` or `2026-03-01T08:30`; a date alone means midnight. Any separator is
 * accepted in a date. Undefined for an invalid date or time.
 */
export function parseTime(text: string, kind: TimeKind): string | undefined {
  if (kind === "day") return parseDay(text.trim());
  if (kind === "time") return parseTimeOfDay(text.trim());
  const [day = "", time = "00:00", ...more] = text.trim().split(/[T\s]+/);
  const [on, at] = [parseDay(day), parseTimeOfDay(time)];
  return on === undefined || at === undefined || more.length > 0 ? undefined : `${on}T${at}`;
}

function parseDay(text: string): string | undefined {
  const [year = 0, month = 0, day = 0] = DAY.exec(text)?.slice(1).map(Number) ?? [];
  const at = new Date(Date.UTC(year, month - 1, day));
  return year > 0 && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
    ? at.toISOString().slice(0, 10)
    : undefined;
}

function parseTimeOfDay(text: string): string | undefined {
  const [hour = 24, minute = 60] = TIME.exec(text)?.slice(1).map(Number) ?? [];
  return hour < 24 && minute < 60 ? `${padTwo(hour)}:${padTwo(minute)}` : undefined;
}

const padTwo = (one: number) => String(one).padStart(2, "0");

/** Formats a time for a field: local time, to the minute. */
export function toLocalTime(iso: string | undefined): string {
  const at = new Date(iso ?? "");
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Converts local time to ISO 8601 in UTC; undefined for an empty or invalid text. */
export function toInstant(local: string): string | undefined {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
