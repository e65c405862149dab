import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type AutomatonTables, buildTables, createAutomaton } from "./automaton.ts";
import { type Folded, foldText } from "./fold.ts";
import type { Range } from "./ranges.ts";

/** Up to here, looking for one after the other is as fast and needs no memory. */
const MAX_PLAIN = 12;
/** From here, building would hold up the event loop. */
const MIN_BUILT_ASIDE = 5_000;

/** Keywords that are looked for together. */
export interface Keywords {
  readonly patterns: readonly string[];
  /** Calls back for every occurrence; ranges of the text as written, and `index` into `patterns`. */
  search(text: Folded, found: (index: number, range: Range) => void): void;
}

type Search = (text: string, found: (index: number, start: number, end: number) => void) => void;

/** Prepares keywords; long lists in another thread. */
export async function prepareKeywords(patterns: readonly string[]): Promise<Keywords> {
  const folded = patterns.map(foldText);
  const search = patterns.length <= MAX_PLAIN ? plainSearch(folded) : createAutomaton(await tablesOf(folded)).search;
  return {
    patterns,
    search({ text, origin }, found) {
      if (origin === undefined) return search(text, (index, start, end) => found(index, [start, end]));
      search(text, (index, start, end) => found(index, originOf(origin, start, end)));
    },
  };
}

/** A range of the folded text in the text as written: what is cut in half is taken whole. */
function originOf(origin: readonly number[], start: number, end: number): Range {
  let last = end;
  while (origin[last] === origin[last - 1]) last += 1;
  return [origin[start] as number, origin[last] as number];
}

async function tablesOf(folded: readonly string[]): Promise<AutomatonTables> {
  if (folded.length < MIN_BUILT_ASIDE) return buildTables(folded);
  const name = import.meta.url.endsWith(".ts") ? "./automaton-worker.ts" : "./automaton-worker.js";
  const worker = new Worker(new URL(name, import.meta.url), { workerData: folded });
  const [tables] = (await once(worker, "message")) as [AutomatonTables];
  return tables;
}

function plainSearch(keywords: readonly string[]): Search {
  return (text, found) => {
    for (const [index, keyword] of keywords.entries()) {
      for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + 1))
        found(index, at, at + keyword.length);
    }
  };
}
