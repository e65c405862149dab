const SAMPLE_COUNT = 20;
/** From here on messages wait for the way to the database more than for anything else. */
export const SLOW_MS = 20;

/** How long the way to the server and back takes. */
export interface RoundTrips {
  record(ms: number): void;
  /** Of the last ones; undefined before there are enough. */
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
