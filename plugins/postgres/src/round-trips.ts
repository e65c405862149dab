const COUNTED = 20;
/** From here on messages wait for the way to the database more than for anything else. */
export const SLOW_MS = 20;

/** How long the way to the server and back takes. */
export interface RoundTrips {
  note(ms: number): void;
  /** Of the last ones; undefined before there are enough. */
  medianMs(): number | undefined;
}

export function createRoundTrips(): RoundTrips {
  const last: number[] = [];
  return {
    note(ms) {
      last.push(ms);
      if (last.length > COUNTED) last.shift();
    },
    medianMs: () => (last.length < COUNTED / 2 ? undefined : medianOf(last)),
  };
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
