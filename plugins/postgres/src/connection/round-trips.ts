const SAMPLE_COUNT = 20;
/** Round trip from which the database dominates the latency of messages. */
export const SLOW_MS = 20;

/** Measures the round trip to the server. */
export interface RoundTrips {
  record(ms: number): void;
  /** Median of recent round trips; undefined before there are enough. */
  getMedianMs(): number | undefined;
}

export function createRoundTrips(): RoundTrips {
  const last: number[] = [];
  return {
    record(ms) {
      last.push(ms);
      if (last.length > SAMPLE_COUNT) last.shift();
    },
    getMedianMs: () => (last.length < SAMPLE_COUNT / 2 ? undefined : getMedian(last)),
  };
}

export function getMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
