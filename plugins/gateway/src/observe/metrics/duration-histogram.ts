/** Logarithm of the ratio between two bucket bounds, which gives percentiles an error of about one percent. */
const LOG_STEP = Math.log(1.02);

/** A histogram of the durations in one minute. Histograms of several nodes can be merged. */
export interface DurationHistogram {
  readonly count: number;
  /** Records a duration in microseconds. */
  record(micros: number): void;
  /** Adds a serialized histogram of another node. */
  merge(serialized: string): void;
  /** Returns the duration in milliseconds that `percent` of the values do not exceed; 0 when there are none. */
  percentile(percent: number): number;
  /** Returns the serialized histogram for storage. */
  serialize(): string;
}

export function createDurationHistogram(): DurationHistogram {
  const counts = new Map<number, number>();
  let count = 0;
  const put = (at: number, occurrences: number) => {
    counts.set(at, (counts.get(at) ?? 0) + occurrences);
    count += occurrences;
  };
  return {
    get count() {
      return count;
    },
    record: (micros) => put(Math.round(Math.log(Math.max(1, micros)) / LOG_STEP), 1),
    merge(serialized) {
      for (const [at, times] of JSON.parse(serialized) as readonly (readonly [number, number])[]) put(at, times);
    },
    percentile(percent) {
      let below = 0;
      for (const [at, times] of [...counts].sort(([a], [b]) => a - b)) {
        below += times;
        if (below >= (count * percent) / 100) return Math.round(Math.exp(at * LOG_STEP) / 10) / 100;
      }
      return 0;
    },
    serialize: () => JSON.stringify([...counts]),
  };
}
