/** Returns the known word that was probably meant, ignoring case; undefined when none is close. */
export function findNearestWord(written: string, known: readonly string[]): string | undefined {
  const maxDistance = (word: string) => Math.max(1, Math.floor(word.length / 4));
  const near = known
    // Words whose lengths differ by more than the limit are not compared.
    .filter((word) => Math.abs(word.length - written.length) <= maxDistance(word))
    .map((word) => ({ word, distance: computeEditDistance(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= maxDistance(word))
    .sort((a, b) => a.distance - b.distance)[0];
  return near?.word;
}

/** Counts missing, additional, replaced and swapped letters. */
function computeEditDistance(one: string, other: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [at, wanted] of [...other].entries()) {
      const replaced = (row[at] ?? 0) + Number(letter !== wanted);
      const isSwapped = letter !== wanted && letter === other[at - 1] && wanted === one[line - 1];
      const swapped = isSwapped ? (before[at - 1] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
