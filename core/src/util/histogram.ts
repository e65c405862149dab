import type { Sample } from "../points/operations/metric.ts";

/** Upper bounds for durations in seconds, from a database query to a slow model. */
export const SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300,
];

/** Values measured since the start, counted by upper bounds. */
export interface Histogram {
  record(value: number): void;
  /** The samples of a metric of the kind `histogram`. */
  samples(labels?: Readonly<Record<string, string>>): readonly Sample[];
}

/** Creates a histogram; values above all bounds are counted too. */
export function createHistogram(bounds: readonly number[] = SECONDS): Histogram {
  const counts = new Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  return {
    record(value) {
      const found = bounds.findIndex((bound) => value <= bound);
      const at = found < 0 ? bounds.length : found;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += value;
    },
    samples(labels = {}) {
      let count = 0;
      const buckets = counts.map((own, at) => {
        count += own;
        return { part: "bucket" as const, labels: { ...labels, le: String(bounds[at] ?? "+Inf") }, value: count };
      });
      return [...buckets, { part: "sum", labels, value: sum }, { part: "count", labels, value: count }];
    },
  };
}
