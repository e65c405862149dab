import { toInstant } from "../../shared/ui/form/time-text.ts";
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

export function toQuery({ level, source, q, range, since, until }: LogFilter, now: number): LogQuery {
  const durationMs = RANGES[range];
  const rangeStart = durationMs === undefined ? undefined : new Date(now - durationMs).toISOString();
  const [from, to] = range === "own" ? [toInstant(since), toInstant(until)] : [rangeStart, undefined];
  return {
    min_level: level,
    ...(source !== "" && { source }),
    ...(q !== "" && { q }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
}
