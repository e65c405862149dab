import type { PlannedSpan, PlannedTimes } from "../api.ts";

/** Times of one day at the same interval: a single one, or a series shown as one. */
export interface RunSeries {
  readonly from: Date;
  readonly to: Date;
  readonly count: number;
  readonly everyMs: number;
}

export interface DayEntry {
  readonly id: string;
  readonly name: string;
  readonly kind: PlannedTimes["kind"];
  readonly series: readonly RunSeries[];
}

/** Maximum times shown one by one. */
export const MAX_SINGLE_RUNS = 4;

/** Groups the coming runs by day in the reader's time zone, the next one first. */
export function groupByDay(items: readonly PlannedTimes[]): readonly (readonly [number, readonly DayEntry[]])[] {
  const days = new Map<number, DayEntry[]>();
  for (const { id, name, kind, spans } of items) {
    const stretches = spans.flatMap(splitByDay);
    for (const [start, ofDay] of Map.groupBy(stretches, ({ from }) => startOfDay(from))) {
      const entries = days.get(start) ?? [];
      days.set(start, [...entries, { id, name, kind, series: ofDay.flatMap(splitShortSeries) }]);
    }
  }
  const first = ({ series: stretches }: DayEntry) => stretches[0]?.from.getTime() ?? 0;
  return [...days]
    .sort(([a], [b]) => a - b)
    .map(([start, entries]) => [start, entries.sort((a, b) => first(a) - first(b))] as const);
}

/** Cuts a span where days end. */
function splitByDay({ from, count, every_ms: everyMs }: PlannedSpan): readonly RunSeries[] {
  const stretches: RunSeries[] = [];
  let at = Date.parse(from);
  let left = count;
  while (left > 0) {
    const first = new Date(at);
    const midnight = new Date(first.getFullYear(), first.getMonth(), first.getDate() + 1).getTime();
    const today = everyMs === 0 ? left : Math.min(left, Math.ceil((midnight - at) / everyMs));
    stretches.push({ from: first, to: new Date(at + (today - 1) * everyMs), count: today, everyMs });
    at += today * everyMs;
    left -= today;
  }
  return stretches;
}

/** Splits a short series into single times. */
function splitShortSeries(stretch: RunSeries): readonly RunSeries[] {
  const { from, count, everyMs } = stretch;
  if (count > MAX_SINGLE_RUNS) return [stretch];
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(from.getTime() + index * everyMs);
    return { from: at, to: at, count: 1, everyMs: 0 };
  });
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
