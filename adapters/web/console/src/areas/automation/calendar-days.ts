import type { PlannedSpan, PlannedTimes } from "./api.ts";

/** Times of one day with the same distance: a single one, or so many that they are shown as one. */
export interface Stretch {
  readonly from: Date;
  readonly to: Date;
  readonly count: number;
  readonly everyMs: number;
}

export interface DayEntry {
  readonly id: string;
  readonly name: string;
  readonly kind: PlannedTimes["kind"];
  readonly stretches: readonly Stretch[];
}

/** As many times as stand one by one. */
export const FEW = 4;

/** Groups the coming runs by day in the reader's time zone, the next one first. */
export function byDay(items: readonly PlannedTimes[]): readonly (readonly [number, readonly DayEntry[]])[] {
  const days = new Map<number, DayEntry[]>();
  for (const { id, name, kind, spans } of items) {
    const stretches = spans.flatMap(daysIn);
    for (const [start, ofDay] of Map.groupBy(stretches, ({ from }) => startOf(from))) {
      const entries = days.get(start) ?? [];
      days.set(start, [...entries, { id, name, kind, stretches: ofDay.flatMap(singly) }]);
    }
  }
  const first = ({ stretches }: DayEntry) => stretches[0]?.from.getTime() ?? 0;
  return [...days]
    .sort(([a], [b]) => a - b)
    .map(([start, entries]) => [start, entries.sort((a, b) => first(a) - first(b))] as const);
}

/** Cuts a span where days end. */
function daysIn({ from, count, every_ms: everyMs }: PlannedSpan): readonly Stretch[] {
  const stretches: Stretch[] = [];
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

/** A few times stand each for itself. */
function singly(stretch: Stretch): readonly Stretch[] {
  const { from, count, everyMs } = stretch;
  if (count > FEW) return [stretch];
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(from.getTime() + index * everyMs);
    return { from: at, to: at, count: 1, everyMs: 0 };
  });
}

function startOf(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
