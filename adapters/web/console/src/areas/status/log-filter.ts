import type { LogLine, LogQuery } from "./api.ts";

const MINUTE_MS = 60_000;
/** Duration of each time range in milliseconds; `own` is entered by the user, `any` has no limits. */
export const RANGES = {
  any: undefined,
  quarter: 15 * MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 1_440 * MINUTE_MS,
  week: 7 * 1_440 * MINUTE_MS,
  own: undefined,
} as const satisfies Record<string, number | undefined>;
export type Range = keyof typeof RANGES;

export interface LogFilter {
  readonly level: LogLine["level"];
  readonly source: string;
  readonly q: string;
  readonly range: Range;
  /** Start of the range `own`: a `datetime-local` value, or empty. */
  readonly since: string;
  readonly until: string;
}

export const DEFAULT_FILTER: LogFilter = { level: "info", source: "", q: "", range: "any", since: "", until: "" };

/** Converts the filter to a query. */
export function toQuery({ level, source, q, range, since, until }: LogFilter, now: number): LogQuery {
  const duration = RANGES[range];
  const from = duration === undefined ? toInstant(since, range) : new Date(now - duration).toISOString();
  const to = toInstant(until, range);
  return {
    min_level: level,
    ...(source !== "" && { source }),
    ...(q !== "" && { q }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
}

/** Converts a `datetime-local` value in the reader's time zone; undefined for other ranges and invalid values. */
function toInstant(typed: string, range: Range): string | undefined {
  const at = range === "own" ? Date.parse(typed) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
