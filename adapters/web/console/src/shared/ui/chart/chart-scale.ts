const MAX_LABELS = 4;

/** Returns a round number for the top of an axis, at least the maximum value; its half is an integer unless it is 1. */
export function roundAxisTop(maxValue: number): number {
  if (maxValue <= 1) return 1;
  const tens = 10 ** Math.floor(Math.log10(maxValue));
  return [1, 2, 4, 6, 10].map((step) => step * tens).find((top) => top >= maxValue) ?? maxValue;
}

/** Returns the ticks of an axis, top first. */
export function toAxisTicks(top: number): readonly number[] {
  return top === 1 ? [1, 0] : [top, top / 2, 0];
}

/** Returns the positions of the labels, including the first and last. */
export function toLabelPositions(count: number): readonly number[] {
  const labelCount = Math.min(count, MAX_LABELS);
  if (labelCount < 2) return labelCount === 1 ? [0] : [];
  return Array.from({ length: labelCount }, (_, at) => Math.round((at * (count - 1)) / (labelCount - 1)));
}
