import type { LogLine } from "./api.ts";

const MINUTE_MS = 60_000;
/** How far back a range goes; `own` is typed. */
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
  /** Of the range `own`: as a field for date and time gives them, or empty. */
  readonly since: string;
  readonly until: string;
}

export const DEFAULT_FILTER: LogFilter = { level: "info", source: "", q: "", range: "any", since: "", until: "" };

export interface LogQuery {
  readonly min_level: LogLine["level"];
  readonly source?: string;
  readonly q?: string;
  readonly says?: string;
  readonly since?: string;
  readonly until?: string;
}

/** What the service is asked for; `says`: what the words stand for in the language of the log. */
export function toQuery({ level, source, q, range, since, until }: LogFilter, now: number, says = ""): LogQuery {
  const back = RANGES[range];
  const from = back === undefined ? toInstant(since, range) : new Date(now - back).toISOString();
  const to = toInstant(until, range);
  return {
    min_level: level,
    ...(source !== "" && { source }),
    ...(q !== "" && { q }),
    ...(says !== "" && { says }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
}

/** Typed in the reader's own time. */
function toInstant(typed: string, range: Range): string | undefined {
  const at = range === "own" ? Date.parse(typed) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
