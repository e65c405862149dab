/** Each bound is so much above the one before: exact to one in a hundred. */
const LOG_STEP = Math.log(1.02);

/** Durations of one minute, counted by how long they were: those of several nodes can be put together. */
export interface DurationHistogram {
  readonly count: number;
  /** Microseconds. */
  record(micros: number): void;
  /** Adds what `text` gave elsewhere. */
  merge(serialize: string): void;
  /** Below it are so many of a hundred, in milliseconds; 0 where nothing was timed. */
  percentile(share: number): number;
  /** Serialized form for storage. */
  text(): string;
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
    merge(text) {
      for (const [at, times] of JSON.parse(text) as readonly (readonly [number, number])[]) put(at, times);
    },
    percentile(share) {
      let below = 0;
      for (const [at, times] of [...counts].sort(([a], [b]) => a - b)) {
        below += times;
        if (below >= (count * share) / 100) return Math.round(Math.exp(at * LOG_STEP) / 10) / 100;
      }
      return 0;
    },
    text: () => JSON.stringify([...counts]),
  };
}
