const MOST_LABELS = 4;

/** The round number that an axis ends with, whose half is a whole one too. */
export function topOf(most: number): number {
  if (most <= 1) return 1;
  const tens = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 6, 10].map((step) => step * tens).find((top) => top >= most) ?? most;
}

/** Where an axis is marked, from above. */
export function ticksOf(top: number): readonly number[] {
  return top === 1 ? [1, 0] : [top, top / 2, 0];
}

/** Places of the labels that stand below, the first and the last among them. */
export function placesOf(count: number): readonly number[] {
  const shown = Math.min(count, MOST_LABELS);
  if (shown < 2) return shown === 1 ? [0] : [];
  return Array.from({ length: shown }, (_, at) => Math.round((at * (count - 1)) / (shown - 1)));
}
