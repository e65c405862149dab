import { type Planned, type Planner, timingOf } from "./planner.ts";
import { kindOfId } from "./starter.ts";
import type { RunKind } from "./tables.ts";

const HOUR_MS = 3_600_000;
const MOST_TIMES = 50;
/** A schedule is worked out for so many runs, all schedules together for so many. */
const MOST_EACH = 2_100;
const MOST_OF_ALL = 20_000;
/** More than any hour has: a schedule that is even over two hours, and alike in all hours, is even for good. */
const EVEN_TIMES = 130;
/** A cron line that says nothing of hours, days, months and weekdays. */
const HOURLY = /^\s*\S+(?:\s+\*){4}\s*$/;

/** Times with the same distance: `count` of them from the first to the last. */
export interface PlannedSpan {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** 0 where there is only one. */
  readonly every_ms: number;
}

export interface PlannedTimes {
  readonly id: string;
  readonly kind: RunKind;
  readonly name: string;
  /** The first 50. */
  readonly times: readonly string[];
  /** All of them until the end, or until `more`. */
  readonly spans: readonly PlannedSpan[];
  /** True: there are more of them than `spans` has. */
  readonly more: boolean;
}

interface Span {
  readonly fromMs: number;
  readonly everyMs: number;
  readonly count: number;
}

/** The planned times of records until an instant. */
export async function comingUntil(
  records: readonly { readonly name: string; readonly plan: Planned }[],
  planner: Planner,
  untilMs: number,
): Promise<readonly PlannedTimes[]> {
  const schedules = await planner.of(records.map(({ plan }) => plan.id));
  let left = MOST_OF_ALL;
  return records.flatMap(({ name, plan }) => {
    const next = schedules.get(plan.id)?.next_run;
    const nextMs = next ? Date.parse(next) : Number.POSITIVE_INFINITY;
    if (nextMs > untilMs) return [];
    const { spans, isCut, worked } = spansOf(plan, planner, { nextMs, untilMs, most: Math.min(MOST_EACH, left) });
    left = Math.max(MOST_TIMES, left - worked);
    const times = spans.flatMap(timesIn).slice(0, MOST_TIMES);
    return [{ id: plan.id, kind: kindOfId(plan.id), name, times: times.map(iso), spans: spans.map(told), more: isCut }];
  });
}

interface Range {
  readonly nextMs: number;
  readonly untilMs: number;
  readonly most: number;
}

function spansOf(plan: Planned, planner: Planner, { nextMs, untilMs, most }: Range) {
  const timing = timingOf(plan);
  const evenly = (fromMs: number, everyMs: number, worked: number) => {
    const count = Math.floor((untilMs - fromMs) / everyMs) + 1;
    return { spans: [{ fromMs, everyMs, count }], isCut: false, worked };
  };
  if (timing?.everyMs !== undefined) return evenly(nextMs, timing.everyMs, 0);
  if (timing?.cron === undefined) return { spans: [{ fromMs: nextMs, everyMs: 0, count: 1 }], isCut: false, worked: 0 };
  const first = planner.preview(plan, EVEN_TIMES, untilMs);
  const spans = joined(first);
  const [{ fromMs = nextMs, everyMs = 0 } = {}] = spans;
  const isEven = HOURLY.test(timing.cron) && spans.length === 1 && everyMs > 0 && everyMs <= HOUR_MS;
  if (isEven && first.length === EVEN_TIMES) return evenly(fromMs, everyMs, EVEN_TIMES);
  if (first.length < EVEN_TIMES) return { spans, isCut: false, worked: first.length };
  const all = planner.preview(plan, most, untilMs);
  return { spans: joined(all), isCut: all.length === most, worked: all.length };
}

/** Times in order, those with the same distance together. */
function joined(times: readonly number[]): readonly Span[] {
  const spans: Span[] = [];
  for (const at of times) {
    const last = spans.at(-1);
    const everyMs = last ? at - endOf(last) : 0;
    const isOn = last && (last.count === 1 || last.everyMs === everyMs);
    if (isOn) spans[spans.length - 1] = { ...last, everyMs, count: last.count + 1 };
    else spans.push({ fromMs: at, everyMs: 0, count: 1 });
  }
  return spans;
}

function endOf({ fromMs, everyMs, count }: Span): number {
  return fromMs + everyMs * (count - 1);
}

function timesIn({ fromMs, everyMs, count }: Span): readonly number[] {
  return Array.from({ length: Math.min(count, MOST_TIMES) }, (_, at) => fromMs + at * everyMs);
}

function told(span: Span): PlannedSpan {
  return { from: iso(span.fromMs), to: iso(endOf(span)), count: span.count, every_ms: span.everyMs };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
