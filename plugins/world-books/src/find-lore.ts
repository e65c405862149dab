import type { RegexRunner } from "@parley/core";
import { fold, isWholeWord, type Range } from "@parley/core/text-match";
import type { Source } from "./entry-fields.ts";
import type { Lore, LoreBook } from "./lore.ts";
import type { LoreIndex, LoreLibrary } from "./lore-library.ts";
import { SECOND } from "./lore-tables.ts";
import { type RecallTexts, textsOf } from "./recall-texts.ts";

/** Where a keyword was found; `recursion`: in the content of another entry. */
export type Place = Source | "recursion";
export interface Hit {
  readonly place: Place;
  readonly keyword: string;
  readonly isSecond: boolean;
  /** In that text; UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** What was found of one entry. */
export interface Found {
  readonly lore: Lore;
  readonly book: LoreBook;
  readonly hits: readonly Hit[];
  /** Where it counts, in a fixed order; empty: nowhere. */
  readonly sources: readonly Place[];
  /** Why nothing counts though a keyword was there. */
  readonly missed?: "match_mode" | "secondary_keywords";
}

export interface Search {
  readonly index: LoreIndex;
  readonly bookOf: (lore: Lore) => LoreBook | undefined;
  readonly regexes: RegexParts | undefined;
}
export interface RegexParts {
  readonly runner: RegexRunner;
  readonly library: Pick<LoreLibrary, "tookTooLong" | "isAside">;
  /** Of all expressions of one turn together. */
  readonly limitMs: number;
}

const TEXTS = ["user", "assistant_recent", "history", "scene_state"] as const;
/** Expressions that are tried before it is looked whether there is time for more. */
const AT_ONCE = 4;

/** What was found so far: of each place in `lore` its keywords, each where it stands first in each text. */
type Marks = Map<number, Map<string, Hit>>;

/** Looks for all entries of all books that count here. */
export async function findLore(search: Search, texts: RecallTexts): Promise<readonly Found[]> {
  const marks: Marks = new Map();
  for (const place of TEXTS) {
    if (texts[place] !== "") lookThrough(search, marks, place, texts[place], texts);
  }
  if (search.regexes && search.index.regexes.length > 0) await tryRegexes(search, search.regexes, marks, texts);
  const places = new Set([...marks.keys(), ...search.index.alwaysOn]);
  const scenes = new Map<number, string>();
  for (const [key, value] of Object.entries(texts.scene)) {
    const words = textsOf(value);
    for (const place of search.index.byScene.get(key) ?? []) {
      const { scene } = search.index.lore[place] as Lore;
      const word = words.find((one) => scene.some(([name, values]) => name === key && values.has(one)));
      if (word === undefined || scenes.has(place)) continue;
      scenes.set(place, word);
      places.add(place);
    }
  }
  const found: Found[] = [];
  for (const place of places) {
    const lore = search.index.lore[place] as Lore;
    const book = search.bookOf(lore);
    if (book) found.push(judged(lore, book, [...(marks.get(place)?.values() ?? [])], scenes.has(place)));
  }
  return found;
}

/** Looks for what comes up in the contents of others: in books that ask for it, and only what is not there yet. */
export function findInContents(search: Search, contents: string, known: ReadonlySet<string>): readonly Found[] {
  const marks: Marks = new Map();
  lookThrough(search, marks, "recursion", contents, undefined);
  const found: Found[] = [];
  for (const [place, hits] of marks) {
    const lore = search.index.lore[place] as Lore;
    const book = search.bookOf(lore);
    if (!book?.isRecursive || lore.excludeRecursion || known.has(lore.id)) continue;
    const one = judged(lore, book, [...hits.values()], false);
    if (one.sources.length > 0) found.push(one);
  }
  return found;
}

function lookThrough(
  { index, bookOf }: Search,
  marks: Marks,
  place: Place,
  text: string,
  texts: RecallTexts | undefined,
): void {
  const { starts, owners } = index.tables;
  index.keywords.search(fold(text), (pattern, range) => {
    const last = starts[pattern + 1] as number;
    for (let at = starts[pattern] as number; at < last; at += 1) {
      const owner = owners[at] as number;
      const lore = index.lore[owner >>> 8] as Lore;
      if (place !== "recursion" && !lore.sources.has(place)) continue;
      const book = bookOf(lore);
      if (!book || (place === "history" && range[0] < (texts?.historyFrom(book) ?? 0))) continue;
      const slot = owner & 255;
      const isSecond = slot >= SECOND;
      const keyword = (isSecond ? lore.secondary[slot - SECOND] : lore.keywords[slot]) as string;
      if (isFit(lore, keyword, text, range)) mark(marks, owner >>> 8, { place, keyword, isSecond, range });
    }
  });
}

function isFit(lore: Lore, keyword: string, text: string, range: Range): boolean {
  if (lore.caseSensitive && text.slice(...range) !== keyword) return false;
  return !lore.wholeWords || isWholeWord(text, range);
}

function mark(
  marks: Marks,
  at: number,
  { place, keyword, isSecond, range: [start, end] }: Omit<Hit, "start" | "end"> & { readonly range: Range },
): void {
  const key = `${place}${isSecond ? "+" : "-"}${keyword}`;
  const hits = marks.get(at) ?? new Map<string, Hit>();
  if (hits.has(key)) return;
  hits.set(key, { place, keyword, isSecond, start, end });
  marks.set(at, hits);
}

async function tryRegexes({ index, bookOf }: Search, regexes: RegexParts, marks: Marks, texts: RecallTexts) {
  const { runner, library, limitMs } = regexes;
  const isOver = createTimer(limitMs);
  for (const place of TEXTS) {
    const text = texts[place];
    const wanted = index.regexes.flatMap((at) => {
      const lore = index.lore[at] as Lore;
      const book = lore.sources.has(place) && text !== "" && !library.isAside(lore.id) ? bookOf(lore) : undefined;
      if (!book) return [];
      const from = place === "history" ? texts.historyFrom(book) : 0;
      const of = (keywords: readonly string[], isSecond: boolean) =>
        keywords.map((keyword) => ({ at, lore, from, keyword, isSecond }));
      return [...of(lore.keywords, false), ...of(lore.secondary, true)];
    });
    for (let first = 0; first < wanted.length && !isOver(); first += AT_ONCE) {
      const some = wanted.slice(first, first + AT_ONCE).filter(({ lore }) => !library.isAside(lore.id));
      const findings = await runner.find(text, () => some.map(({ lore, keyword }) => patternOf(lore, keyword)));
      for (const [position, { at, lore, from, keyword, isSecond }] of some.entries()) {
        const finding = findings[position] ?? "timeout";
        const range = finding === "timeout" ? undefined : finding.find(([start]) => start >= from);
        if (finding === "timeout") library.tookTooLong(lore.id);
        else if (range) mark(marks, at, { place, keyword, isSecond, range });
      }
    }
  }
}

/** The engine's expressions heed no case unless they are told to. */
function patternOf({ caseSensitive }: Lore, keyword: string): string {
  return caseSensitive ? `(?-i:${keyword})` : keyword;
}

function createTimer(limitMs: number): () => boolean {
  const end = performance.now() + limitMs;
  return () => performance.now() > end;
}

/** In which texts all that an entry asks for is there. */
function judged(lore: Lore, book: LoreBook, hits: readonly Hit[], isInScene: boolean): Found {
  const byPlace = new Map<Place, Set<string>[]>();
  for (const { place, keyword, isSecond } of hits) {
    const sets = byPlace.get(place) ?? [new Set(), new Set()];
    sets[isSecond ? 1 : 0]?.add(keyword);
    byPlace.set(place, sets);
  }
  const sources: Place[] = [];
  let missed: Found["missed"];
  for (const [place, [first, second]] of byPlace) {
    if (!first || !second || first.size === 0) continue;
    if (lore.needsAll && first.size < new Set(lore.keywords).size) missed ??= "match_mode";
    else if (!isAgreed(lore, second)) missed = "secondary_keywords";
    else sources.push(place);
  }
  if (isInScene && !sources.includes("scene_state")) sources.push("scene_state");
  const isMissed = sources.length === 0 && !lore.alwaysOn;
  return { lore, book, hits, sources, ...(isMissed && missed && { missed }) };
}

function isAgreed({ logic, secondary }: Lore, there: ReadonlySet<string>): boolean {
  if (logic === undefined) return true;
  const isAll = there.size >= new Set(secondary).size;
  if (logic === "and_any") return there.size > 0;
  if (logic === "and_all") return isAll;
  return logic === "not_any" ? there.size === 0 : !isAll;
}
