import type { RegexRunner } from "@parley/core";
import { fold, isWholeWord, type Range } from "@parley/core/text-match";
import type { Source } from "../books/entry-fields.ts";
import type { Lore, LoreBook } from "./lore.ts";
import type { LoreIndex, LoreLibrary } from "./lore-library.ts";
import { SECONDARY_OFFSET } from "./lore-tables.ts";
import { type ScanTexts, toTexts } from "./scan-texts.ts";

/** Text in which a keyword matched: `recursion` is the content of another entry, `character` a text about the character or person. */
export type MatchPlace = Source | "recursion" | "character";
export interface Hit {
  readonly place: MatchPlace;
  readonly keyword: string;
  readonly isSecond: boolean;
  /** Position in that text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** The match of one entry. */
export interface LoreMatch {
  readonly lore: Lore;
  readonly book: LoreBook;
  readonly hits: readonly Hit[];
  /** Texts in which the entry matched, in a fixed order; empty when it did not match. */
  readonly sources: readonly MatchPlace[];
  /** The reason why the entry did not match although a keyword did. */
  readonly missed?: "match_mode" | "secondary_keywords";
}

export interface LoreSearch {
  readonly index: LoreIndex;
  readonly getBook: (lore: Lore) => LoreBook | undefined;
  readonly regexes: RegexSearchDeps | undefined;
}
export interface RegexSearchDeps {
  readonly runner: RegexRunner;
  readonly library: Pick<LoreLibrary, "reportTimeout" | "isQuarantined">;
  /** Time limit of all expressions in a turn, in milliseconds. */
  readonly limitMs: number;
}

const SCANNED_TEXTS = ["user", "assistant_recent", "history", "scene_state"] as const;
/** Number of expressions that are tried between two checks of the time limit. */
const REGEX_BATCH_SIZE = 4;

/** Matched keywords by the index of their entry in `lore`, each at its first position in each text. */
export type HitsByLore = Map<number, Map<string, Hit>>;

/** Finds the entries that match, in all books that apply to this conversation. */
export async function findLore(search: LoreSearch, texts: ScanTexts): Promise<readonly LoreMatch[]> {
  const marks: HitsByLore = new Map();
  for (const place of SCANNED_TEXTS) {
    if (texts[place] !== "") scanText(search, marks, place, texts[place], texts);
  }
  if (search.regexes && search.index.regexes.length > 0) await scanRegexes(search, search.regexes, marks, texts);
  const places = new Set([...marks.keys(), ...search.index.alwaysOn]);
  const scenes = new Map<number, string>();
  for (const [key, value] of Object.entries(texts.scene)) {
    const words = toTexts(value);
    for (const place of search.index.byScene.get(key) ?? []) {
      const { scene } = search.index.lore[place] as Lore;
      const word = words.find((one) => scene.some(([name, values]) => name === key && values.has(one)));
      if (word === undefined || scenes.has(place)) continue;
      scenes.set(place, word);
      places.add(place);
    }
  }
  const found: LoreMatch[] = [];
  for (const place of places) {
    const lore = search.index.lore[place] as Lore;
    const book = search.getBook(lore);
    if (book) found.push(toLoreMatch(lore, book, [...(marks.get(place)?.values() ?? [])], scenes.has(place)));
  }
  return found;
}

/** Finds further entries that the contents of activated ones match, in books that allow recursion. */
export function findInContents(search: LoreSearch, contents: string, known: ReadonlySet<string>): readonly LoreMatch[] {
  const marks: HitsByLore = new Map();
  scanText(search, marks, "recursion", contents, undefined);
  const found: LoreMatch[] = [];
  for (const [place, hits] of marks) {
    const lore = search.index.lore[place] as Lore;
    const book = search.getBook(lore);
    if (!book?.isRecursive || lore.excludeRecursion || known.has(lore.id)) continue;
    const one = toLoreMatch(lore, book, [...hits.values()], false);
    if (one.sources.length > 0) found.push(one);
  }
  return found;
}

function scanText(
  { index, getBook }: LoreSearch,
  marks: HitsByLore,
  place: MatchPlace,
  text: string,
  texts: ScanTexts | undefined,
): void {
  const { starts, owners } = index.tables;
  index.keywords.search(fold(text), (pattern, range) => {
    const last = starts[pattern + 1] as number;
    for (let at = starts[pattern] as number; at < last; at += 1) {
      const owner = owners[at] as number;
      const lore = index.lore[owner >>> 8] as Lore;
      if (place !== "recursion" && place !== "character" && !lore.sources.has(place)) continue;
      const book = getBook(lore);
      if (!book || (place === "history" && range[0] < (texts?.historyFrom(book) ?? 0))) continue;
      const { keyword, isSecond } = findKeyword(lore, owner & 255);
      if (matchesWord(lore, keyword, text, range)) recordHit(marks, owner >>> 8, { place, keyword, isSecond, range });
    }
  });
}

/** Returns the keyword with this number in the search tables. */
export function findKeyword({ keywords, secondary }: Lore, slot: number) {
  const isSecond = slot >= SECONDARY_OFFSET;
  return { keyword: (isSecond ? secondary[slot - SECONDARY_OFFSET] : keywords[slot]) as string, isSecond };
}

function matchesWord(lore: Lore, keyword: string, text: string, range: Range): boolean {
  if (lore.caseSensitive && text.slice(...range) !== keyword) return false;
  return !lore.wholeWords || isWholeWord(text, range);
}

/** Records the first position of a keyword in a text. */
export function recordHit(
  marks: HitsByLore,
  at: number,
  { place, keyword, isSecond, range: [start, end] }: Omit<Hit, "start" | "end"> & { readonly range: Range },
): void {
  const key = `${place}${isSecond ? "+" : "-"}${keyword}`;
  const hits = marks.get(at) ?? new Map<string, Hit>();
  if (hits.has(key)) return;
  hits.set(key, { place, keyword, isSecond, start, end });
  marks.set(at, hits);
}

async function scanRegexes(
  { index, getBook }: LoreSearch,
  regexes: RegexSearchDeps,
  marks: HitsByLore,
  texts: ScanTexts,
) {
  const isOver = createTimer(regexes.limitMs);
  for (const place of SCANNED_TEXTS) {
    const text = texts[place];
    const wanted = index.regexes.flatMap((at) => {
      const lore = index.lore[at] as Lore;
      const book = lore.sources.has(place) && text !== "" ? getBook(lore) : undefined;
      if (!book) return [];
      const from = place === "history" ? texts.historyFrom(book) : 0;
      return listPatterns(lore).map((pattern) => ({ at, lore, from, ...pattern }));
    });
    await searchRegexes(regexes, { text, wanted, isOver }, ({ at, keyword, isSecond }, range) => {
      recordHit(marks, at, { place, keyword, isSecond, range });
    });
  }
}

/** A regular expression of an entry, to be searched from an offset of the text. */
export interface WantedPattern {
  readonly at: number;
  readonly lore: Lore;
  readonly from: number;
  readonly keyword: string;
  /** Expression that is searched. */
  readonly pattern: string;
  readonly isSecond: boolean;
}
interface RegexJob {
  readonly text: string;
  readonly wanted: readonly WantedPattern[];
  /** True when the time of the turn is used up. */
  readonly isOver: () => boolean;
}

/** Returns the expressions of an entry with the keywords they come from. */
export function listPatterns(lore: Lore): readonly Pick<WantedPattern, "keyword" | "pattern" | "isSecond">[] {
  const of = (keywords: readonly string[], isSecond: boolean) =>
    keywords.map((keyword) => ({ keyword, isSecond, pattern: toPattern(lore, keyword) }));
  return [...of(lore.keywords, false), ...of(lore.secondary, true)];
}

/** Searches expressions in a text, a few at a time, until the time is over; reports the first range of each that counts. */
export async function searchRegexes(
  { runner, library }: RegexSearchDeps,
  { text, wanted, isOver }: RegexJob,
  found: (wanted: WantedPattern, range: Range) => void,
): Promise<void> {
  for (let first = 0; first < wanted.length && !isOver(); first += REGEX_BATCH_SIZE) {
    const some = wanted.slice(first, first + REGEX_BATCH_SIZE).filter(({ lore }) => !library.isQuarantined(lore.id));
    const findings = await runner.find(text, () => some.map(({ pattern }) => pattern));
    for (const [position, one] of some.entries()) {
      const finding = findings[position] ?? "timeout";
      const range = finding === "timeout" ? undefined : finding.find(([start]) => start >= one.from);
      if (finding === "timeout") library.reportTimeout(one.lore.id);
      else if (range) found(one, range);
    }
  }
}

/** Returns the pattern of a keyword; the engine ignores case unless the pattern says otherwise. */
function toPattern({ caseSensitive }: Lore, keyword: string): string {
  return caseSensitive ? `(?-i:${keyword})` : keyword;
}

/** Creates a function that returns true once this time has passed. */
export function createTimer(limitMs: number): () => boolean {
  const end = performance.now() + limitMs;
  return () => performance.now() > end;
}

/** Returns the match of an entry, with the texts that contain everything it requires. */
function toLoreMatch(lore: Lore, book: LoreBook, hits: readonly Hit[], isInScene: boolean): LoreMatch {
  const byPlace = new Map<MatchPlace, Set<string>[]>();
  for (const { place, keyword, isSecond } of hits) {
    const sets = byPlace.get(place) ?? [new Set(), new Set()];
    sets[isSecond ? 1 : 0]?.add(keyword);
    byPlace.set(place, sets);
  }
  const sources: MatchPlace[] = [];
  let missed: LoreMatch["missed"];
  for (const [place, [first, second]] of byPlace) {
    if (!first || !second || first.size === 0) continue;
    if (lore.needsAll && first.size < new Set(lore.keywords).size) missed ??= "match_mode";
    else if (!isLogicMet(lore, second)) missed = "secondary_keywords";
    else sources.push(place);
  }
  if (isInScene && !sources.includes("scene_state")) sources.push("scene_state");
  const isMissed = sources.length === 0 && !lore.alwaysOn;
  return { lore, book, hits, sources, ...(isMissed && missed && { missed }) };
}

/** Returns true when the secondary keywords that were found meet the entry's logic. */
export function isLogicMet({ logic, secondary }: Lore, there: ReadonlySet<string>): boolean {
  if (logic === undefined) return true;
  const isAll = there.size >= new Set(secondary).size;
  if (logic === "and_any") return there.size > 0;
  if (logic === "and_all") return isAll;
  return logic === "not_any" ? there.size === 0 : !isAll;
}
