import type { PlannedSpan, PlannedTimes } from "../api.ts";

/** Run times of one day at equal intervals: a single time, or a series shown as one. */
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
    const series = spans.flatMap(splitByDay);
    for (const [start, seriesOfDay] of Map.groupBy(series, ({ from }) => getStartOfDay(from))) {
      const entries = days.get(start) ?? [];
      days.set(start, [...entries, { id, name, kind, series: seriesOfDay.flatMap(splitShortSeries) }]);
    }
  }
  const getFirstTime = ({ series }: DayEntry) => series[0]?.from.getTime() ?? 0;
  return [...days]
    .sort(([a], [b]) => a - b)
    .map(([start, entries]) => [start, entries.sort((a, b) => getFirstTime(a) - getFirstTime(b))] as const);
}

/** Splits a span at each midnight. */
function splitByDay({ from, count, every_ms: everyMs }: PlannedSpan): readonly RunSeries[] {
  const series: RunSeries[] = [];
  let at = Date.parse(from);
  let remaining = count;
  while (remaining > 0) {
    const first = new Date(at);
    const midnight = new Date(first.getFullYear(), first.getMonth(), first.getDate() + 1).getTime();
    const today = everyMs === 0 ? remaining : Math.min(remaining, Math.ceil((midnight - at) / everyMs));
    series.push({ from: first, to: new Date(at + (today - 1) * everyMs), count: today, everyMs });
    at += today * everyMs;
    remaining -= today;
  }
  return series;
}

/** Splits a short series into single times. */
function splitShortSeries(series: RunSeries): readonly RunSeries[] {
  const { from, count, everyMs } = series;
  if (count > MAX_SINGLE_RUNS) return [series];
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(from.getTime() + index * everyMs);
    return { from: at, to: at, count: 1, everyMs: 0 };
  });
}

function getStartOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
