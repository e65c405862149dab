import { type AutomatonTables, createAutomaton } from "./automaton.ts";
import type { Folded } from "./fold.ts";

/** A piece of a text: from `start` up to, not including, `end`; indexes of UTF-16 units. */
export type Range = readonly [start: number, end: number];

/** Keywords searched together. */
export interface Keywords {
  readonly patterns: readonly string[];
  /** Calls back for every occurrence; ranges of the text as written, and `index` into `patterns`. */
  search(text: Folded, found: (index: number, range: Range) => void): void;
}

type Search = (text: string, found: (index: number, start: number, end: number) => void) => void;

/** Creates a search for folded keywords by their tables; without tables they are searched one by one, which suits up to a dozen. */
export function createKeywords(
  patterns: readonly string[],
  folded: readonly string[],
  tables?: AutomatonTables,
): Keywords {
  const search = tables ? createAutomaton(tables).search : createPlainSearch(folded);
  return {
    patterns,
    search({ text, origin }, found) {
      if (origin === undefined) return search(text, (index, start, end) => found(index, [start, end]));
      search(text, (index, start, end) => found(index, toOriginalRange(origin, start, end)));
    },
  };
}

/** Converts a range of the folded text to the original text; a partly covered character is included. */
function toOriginalRange(origin: readonly number[], start: number, end: number): Range {
  let last = end;
  while (origin[last] === origin[last - 1]) last += 1;
  return [origin[start] as number, origin[last] as number];
}

function createPlainSearch(keywords: readonly string[]): Search {
  return (text, found) => {
    for (const [index, keyword] of keywords.entries()) {
      for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + 1))
        found(index, at, at + keyword.length);
    }
  };
}
