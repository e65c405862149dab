import type { TextHit } from "@parley/core";

/** A search result with its text hit. */
export interface HasTextHit {
  readonly hit: TextHit;
}

/** Passages that one hit may show: more would fill the prompt with one document. */
const MAX_MERGED = 3;
/** Maximum overlap of adjacent passages in characters. */
const MAX_OVERLAP_CHARS = 60;
/** Share of common words above which two passages count as duplicates. */
const DUPLICATE_SHARE = 0.9;

interface MergedPassage<One> {
  one: One;
  from: number;
  to: number;
  readonly words: ReadonlySet<string>;
}

/**
 * Drops hits that repeat a better one, and joins a neighbouring passage of the same section to the better hit, so
 * that every hit adds something. Returns at most `limit`, best first.
 */
export function mergeHits<One extends HasTextHit>(ordered: readonly One[], limit: number): readonly One[] {
  const grown: MergedPassage<One>[] = [];
  for (const one of ordered) {
    const words = toWords(`${one.hit.title} ${one.hit.text}`);
    if (grown.some((better) => isDuplicate(better.words, words))) continue;
    const neighbour = grown.find((better) => isNeighbour(better, one.hit));
    if (neighbour) join(neighbour, one.hit);
    else if (grown.length < limit) grown.push({ one, from: one.hit.place, to: one.hit.place, words });
  }
  return grown.map(({ one }) => one);
}

/** Drops hits that repeat a better one. */
export function dropDuplicates(ordered: readonly TextHit[]): readonly TextHit[] {
  const distinct: { readonly hit: TextHit; readonly words: ReadonlySet<string> }[] = [];
  for (const hit of ordered) {
    const words = toWords(`${hit.title} ${hit.text}`);
    if (!distinct.some((better) => isDuplicate(better.words, words))) distinct.push({ hit, words });
  }
  return distinct.map(({ hit }) => hit);
}

function isNeighbour({ one: { hit }, from, to }: MergedPassage<HasTextHit>, other: TextHit): boolean {
  if (hit.group !== other.group || hit.title !== other.title || to - from + 1 >= MAX_MERGED) return false;
  return other.place === from - 1 || other.place === to + 1;
}

function join<One extends HasTextHit>(better: MergedPassage<One>, other: TextHit): void {
  const { hit } = better.one;
  const isBefore = other.place < better.from;
  const [first, second] = isBefore ? [other, hit] : [hit, other];
  const overlap = findOverlap(first.text, second.text);
  const between = overlap === 0 ? "\n" : "";
  const shift = first.text.length + between.length - overlap;
  const later = second.marks
    .filter(([from]) => from >= overlap)
    .map(([from, to]) => [from + shift, to + shift] as const);
  const text = `${first.text}${between}${second.text.slice(overlap)}`;
  better.one = { ...better.one, hit: { ...hit, text, marks: [...first.marks, ...later] } };
  better.from = Math.min(better.from, other.place);
  better.to = Math.max(better.to, other.place);
}

function findOverlap(first: string, second: string): number {
  for (let length = Math.min(MAX_OVERLAP_CHARS, first.length, second.length); length > 0; length -= 1)
    if (first.endsWith(second.slice(0, length))) return length;
  return 0;
}

function toWords(text: string): ReadonlySet<string> {
  const spaced = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // A token over 12 characters is probably of a script without spaces, so each pair of characters counts as a word.
  return new Set(spaced.flatMap((word) => (word.length > 12 ? toPairs(word) : [word])));
}

function toPairs(word: string): readonly string[] {
  return Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2));
}

function isDuplicate(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.size === 0 || other.size === 0) return false;
  const both = one.intersection(other).size;
  return both >= DUPLICATE_SHARE * (one.size + other.size - both);
}
