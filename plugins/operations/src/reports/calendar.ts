import { dayOf } from "@parley/core";
import type { RangeQuery } from "../schema.ts";
import { operationsTexts } from "../texts.ts";

const DAY_MS = 86_400_000;
const MAX_DAYS = 366;

/** Returns the hour of an instant in a time zone, from 0 to 23. */
export function getHour(ms: number, timeZone: string): number {
  return Number(new Intl.DateTimeFormat("en", { timeZone, hour: "2-digit", hourCycle: "h23" }).format(ms));
}

export function listDays(first: string, last: string): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(`${first}T00:00:00Z`); at <= Date.parse(`${last}T00:00:00Z`); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

export interface DayRange {
  readonly start_date: string;
  readonly end_date: string;
  readonly timezone: string;
}

/** Returns the days of a query; the last 30 days by default. */
export function resolveRange(query: RangeQuery, nowMs: number, timezone: string, firstDay: () => string): DayRange {
  const { date_range, start_date, end_date } = query;
  const today = dayOf(nowMs, timezone);
  const back = (days: number) => dayOf(nowMs - (days - 1) * DAY_MS, timezone);
  if (start_date !== undefined || end_date !== undefined) {
    if (date_range !== undefined)
      throw operationsTexts.error("bad_request", "range_twice", {}, { field: "date_range" });
    const range = { start_date: start_date ?? back(30), end_date: end_date ?? today, timezone };
    const days = (Date.parse(range.end_date) - Date.parse(range.start_date)) / DAY_MS + 1;
    if (Number.isNaN(days) || days < 1)
      throw operationsTexts.error("bad_request", "end_before", {}, { field: "end_date" });
    if (days > MAX_DAYS)
      throw operationsTexts.error("bad_request", "range_long", { most: MAX_DAYS }, { field: "end_date" });
    return range;
  }
  const start = { today, "7d": back(7), "30d": back(30), all: firstDay() }[date_range ?? "30d"];
  return { start_date: start, end_date: today, timezone };
}
