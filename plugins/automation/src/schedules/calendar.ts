import { toRunKind } from "../runs/run-kind.ts";
import type { RunKind } from "../runs/tables.ts";
import { type Plan, type Planner, toTiming } from "./planner.ts";

const HOUR_MS = 3_600_000;
const MAX_TIMES = 50;
/** Maximum number of computed times of one schedule; the next limit is for all schedules together. */
const MAX_TIMES_PER_SCHEDULE = 2_100;
const MAX_TIMES_TOTAL = 20_000;
/** More runs than any hour has: a schedule that is regular over two hours and alike in all hours is regular throughout. */
const REGULARITY_SAMPLE = 130;
/** Matches a cron line with wildcards for hours, days, months and weekdays. */
const HOURLY_CRON = /^\s*\S+(?:\s+\*){4}\s*$/;

/** Times at equal intervals: `count` of them, from the first to the last. */
export interface PlannedSpan {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** Interval in milliseconds; 0 for a single time. */
  readonly every_ms: number;
}

export interface PlannedTimes {
  readonly id: string;
  readonly kind: RunKind;
  readonly name: string;
  /** The first 50 times. */
  readonly times: readonly string[];
  /** All times until the end of the range, or until `more`. */
  readonly spans: readonly PlannedSpan[];
  /** True when there are more times than `spans` contains. */
  readonly more: boolean;
}

interface Span {
  readonly fromMs: number;
  readonly everyMs: number;
  readonly count: number;
}

/** Returns the planned times of records until a point in time. */
export async function listPlannedTimes(
  records: readonly { readonly name: string; readonly plan: Plan }[],
  planner: Planner,
  untilMs: number,
): Promise<readonly PlannedTimes[]> {
  const schedules = await planner.getByIds(records.map(({ plan }) => plan.id));
  let left = MAX_TIMES_TOTAL;
  return records.flatMap(({ name, plan }) => {
    const next = schedules.get(plan.id)?.next_run;
    const nextMs = next ? Date.parse(next) : Number.POSITIVE_INFINITY;
    if (nextMs > untilMs) return [];
    const { spans, isCut, worked } = toSpans(plan, planner, {
      nextMs,
      untilMs,
      most: Math.min(MAX_TIMES_PER_SCHEDULE, left),
    });
    left = Math.max(MAX_TIMES, left - worked);
    const times = spans.flatMap(listTimes).slice(0, MAX_TIMES);
    return [
      {
        id: plan.id,
        kind: toRunKind(plan.id),
        name,
        times: times.map(toIso),
        spans: spans.map(toPlannedSpan),
        more: isCut,
      },
    ];
  });
}

interface Range {
  readonly nextMs: number;
  readonly untilMs: number;
  readonly most: number;
}

function toSpans(plan: Plan, planner: Planner, { nextMs, untilMs, most }: Range) {
  const timing = toTiming(plan);
  const toRegularSpan = (fromMs: number, everyMs: number, worked: number) => {
    const count = Math.floor((untilMs - fromMs) / everyMs) + 1;
    return { spans: [{ fromMs, everyMs, count }], isCut: false, worked };
  };
  if (timing?.everyMs !== undefined) return toRegularSpan(nextMs, timing.everyMs, 0);
  if (timing?.cron === undefined) return { spans: [{ fromMs: nextMs, everyMs: 0, count: 1 }], isCut: false, worked: 0 };
  const sample = planner.preview(plan, REGULARITY_SAMPLE, untilMs);
  const spans = mergeIntoSpans(sample);
  const [{ fromMs = nextMs, everyMs = 0 } = {}] = spans;
  const isEven = HOURLY_CRON.test(timing.cron) && spans.length === 1 && everyMs > 0 && everyMs <= HOUR_MS;
  if (isEven && sample.length === REGULARITY_SAMPLE) return toRegularSpan(fromMs, everyMs, REGULARITY_SAMPLE);
  if (sample.length < REGULARITY_SAMPLE) return { spans, isCut: false, worked: sample.length };
  const all = planner.preview(plan, most, untilMs);
  return { spans: mergeIntoSpans(all), isCut: all.length === most, worked: all.length };
}

/** Merges times at equal intervals into spans; the times must be in order. */
function mergeIntoSpans(times: readonly number[]): readonly Span[] {
  const spans: Span[] = [];
  for (const at of times) {
    const last = spans.at(-1);
    const everyMs = last ? at - getSpanEndMs(last) : 0;
    const isOn = last && (last.count === 1 || last.everyMs === everyMs);
    if (isOn) spans[spans.length - 1] = { ...last, everyMs, count: last.count + 1 };
    else spans.push({ fromMs: at, everyMs: 0, count: 1 });
  }
  return spans;
}

function getSpanEndMs({ fromMs, everyMs, count }: Span): number {
  return fromMs + everyMs * (count - 1);
}

function listTimes({ fromMs, everyMs, count }: Span): readonly number[] {
  return Array.from({ length: Math.min(count, MAX_TIMES) }, (_, at) => fromMs + at * everyMs);
}

function toPlannedSpan(span: Span): PlannedSpan {
  return { from: toIso(span.fromMs), to: toIso(getSpanEndMs(span)), count: span.count, every_ms: span.everyMs };
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
