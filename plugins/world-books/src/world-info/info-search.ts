import { createKeywords, type Folded, fold, foldText, isWholeWord, type Range } from "@parley/core/text-match";
import type { ActivationOptions } from "../activation/activation.ts";
import {
  createTimer,
  findKeyword,
  type HitsByLore,
  listPatterns,
  recordHit,
  searchRegexes,
} from "../activation/find-lore.ts";
import type { Lore, LoreBook } from "../activation/lore.ts";
import type { ChatMessage } from "../activation/scan-texts.ts";
import { hasPlaceholder } from "./entry-kinds.ts";
import type { MatchSource } from "./info-terms.ts";
import { createInfoText, type InfoText } from "./info-text.ts";

/** Number of messages that are searched where neither book nor entry says otherwise. */
const DEFAULT_DEPTH = 2;
const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

export interface InfoOptions extends ActivationOptions {
  /** Replaces the placeholders of a text; with `escapeValue` an inserted value has no special meaning. */
  readonly expand?: ((text: string, escapeValue?: (value: string) => string) => string) | undefined;
  /** Number of tokens that the model reads at most. */
  readonly contextTokens: number;
  /** Kind of generation, as entries name it in their triggers. */
  readonly generation: "normal" | "regenerate";
  /** The character's names and tags; undefined without a character. */
  readonly character?: { readonly names: readonly string[]; readonly tags: readonly string[] } | undefined;
  /** Texts that entries may search besides the conversation. */
  readonly sourceTexts?: Readonly<Partial<Record<MatchSource, string>>> | undefined;
}

/** The search of one turn: what it has found so far in messages and in the contents of activated entries. */
export interface InfoSearch {
  readonly options: InfoOptions;
  /** The conversation, the new message last. */
  readonly messages: readonly ChatMessage[];
  readonly text: InfoText;
  readonly marks: HitsByLore;
  /** Contents of activated entries that were searched. */
  readonly contents: string[];
  /** Returns a text as keywords are searched in it; each text is folded once. */
  readonly foldOnce: (text: string) => Folded;
  readonly isOver: () => boolean;
}

/** Creates the search and runs it on the messages. */
export async function searchMessages(
  options: InfoOptions,
  messages: readonly ChatMessage[],
  bookDepths: Iterable<number | undefined>,
): Promise<InfoSearch> {
  let depth = Math.max(DEFAULT_DEPTH, options.index.deepest);
  for (const one of bookDepths) depth = Math.max(depth, one ?? 0);
  const text = createInfoText(messages, depth);
  const isOver = createTimer(options.regexes?.limitMs ?? 0);
  const search: InfoSearch = {
    options,
    messages,
    text,
    marks: new Map(),
    contents: [],
    foldOnce: createFolder(),
    isOver,
  };
  await searchText(search, text);
  for (const at of options.index.special) searchSources(search, at);
  return search;
}

function createFolder(): InfoSearch["foldOnce"] {
  const known = new Map<string, Folded>();
  return (text) => {
    const folded = known.get(text) ?? fold(text);
    known.set(text, folded);
    return folded;
  };
}

/** Searches the contents of entries that were just activated. */
export async function searchContents(search: InfoSearch, contents: readonly string[]): Promise<void> {
  search.contents.push(...contents);
  await searchText(search, { text: contents.join("\n").normalize("NFC") });
}

/** Returns the offset in the messages from which an entry is searched. */
function startOf({ text }: InfoSearch, { info }: Lore, book: LoreBook): number {
  return text.startOf(info.scanDepth ?? book.scanDepth ?? DEFAULT_DEPTH);
}

/** A text to search; without `locate` it is the content of entries, which has no depth. */
type SearchedText = { readonly text: string } & Partial<Pick<InfoText, "locate">>;

async function searchText(search: InfoSearch, searched: SearchedText): Promise<void> {
  const { text, locate } = searched;
  if (text === "") return;
  const { options, marks } = search;
  const { index, getBook } = options;
  const toStart = (lore: Lore): number | undefined => {
    const book = getBook(lore);
    if (!book) return undefined;
    if (locate) return startOf(search, lore, book);
    return book.isRecursive && !lore.excludeRecursion ? 0 : undefined;
  };
  const record = (at: number, keyword: string, isSecond: boolean, range: Range) => {
    const { place, start, end } = locate?.(...range) ?? { place: "recursion", start: range[0], end: range[1] };
    recordHit(marks, at, { place, keyword, isSecond, range: [start, end] });
  };
  searchTables(search, text, toStart, record);
  for (const at of index.special) {
    const lore = index.lore[at] as Lore;
    const from = lore.isRegex || !hasPlaceholder(lore) ? undefined : toStart(lore);
    if (from !== undefined) searchAlone(search, { lore, text, from }, (...found) => record(at, ...found));
  }
  await searchPatterns(search, text, toStart, record);
}

type ToStart = (lore: Lore) => number | undefined;
type RecordFound = (at: number, keyword: string, isSecond: boolean, range: Range) => void;

function searchTables(
  { options: { index }, foldOnce }: InfoSearch,
  text: string,
  toStart: ToStart,
  record: RecordFound,
): void {
  const { starts, owners } = index.tables;
  index.keywords.search(foldOnce(text), (pattern, range) => {
    const last = starts[pattern + 1] as number;
    for (let place = starts[pattern] as number; place < last; place += 1) {
      const owner = owners[place] as number;
      const lore = index.lore[owner >>> 8] as Lore;
      const from = toStart(lore);
      if (from === undefined || range[0] < from) continue;
      const { keyword, isSecond } = findKeyword(lore, owner & 255);
      if (matchesWord(lore, keyword, text, range)) record(owner >>> 8, keyword, isSecond, range);
    }
  });
}

async function searchPatterns(search: InfoSearch, text: string, toStart: ToStart, record: RecordFound): Promise<void> {
  const { options, isOver } = search;
  const { index, regexes, expand } = options;
  if (!regexes || index.regexes.length === 0) return;
  const wanted = index.regexes.flatMap((at) => {
    const lore = index.lore[at] as Lore;
    const from = toStart(lore);
    if (from === undefined || regexes.library.isQuarantined(lore.id)) return [];
    return listPatterns(lore).map(({ pattern, ...one }) => ({
      ...one,
      ...{ at, lore, from },
      pattern: expand?.(pattern, escapePattern) ?? pattern,
    }));
  });
  await searchRegexes(regexes, { text, wanted, isOver }, ({ at, keyword, isSecond }, range) => {
    record(at, keyword, isSecond, range);
  });
}

function escapePattern(value: string): string {
  return value.replaceAll(SYNTAX, "\\$&");
}

/** Searches an entry in the texts about the character and the person that it names. */
function searchSources(search: InfoSearch, at: number): void {
  const { options, marks } = search;
  const lore = options.index.lore[at] as Lore;
  if (lore.info.sources.length === 0 || lore.isRegex || !options.getBook(lore)) return;
  const text = lore.info.sources
    .map((source) => options.sourceTexts?.[source] ?? "")
    .join("\n")
    .normalize("NFC");
  searchAlone(search, { lore, text, from: 0 }, (keyword, isSecond, range) => {
    recordHit(marks, at, { place: "character", keyword, isSecond, range });
  });
}

interface LoneSearch {
  readonly lore: Lore;
  readonly text: string;
  readonly from: number;
}

/** Searches the keywords of one entry, their placeholders replaced. */
function searchAlone(
  search: InfoSearch,
  { lore, text, from }: LoneSearch,
  found: (keyword: string, isSecond: boolean, range: Range) => void,
): void {
  const words = [
    ...lore.keywords.map((keyword) => ({ keyword, isSecond: false })),
    ...lore.secondary.map((keyword) => ({ keyword, isSecond: true })),
  ];
  for (const { keyword, isSecond } of words) {
    const range = findWord(search, { lore, text, from }, keyword);
    if (range) found(keyword, isSecond, range);
  }
}

function findWord(
  { options, foldOnce }: InfoSearch,
  { lore, text, from }: LoneSearch,
  keyword: string,
): Range | undefined {
  const word = (options.expand?.(keyword) ?? keyword).normalize("NFC").trim();
  if (word === "") return undefined;
  let first: Range | undefined;
  createKeywords([word], [foldText(word)]).search(foldOnce(text), (_, range) => {
    if (!first && range[0] >= from && matchesWord(lore, word, text, range)) first = range;
  });
  return first;
}

/** Returns true when one of the words occurs where the entry is searched, contents of activated entries included. */
export function hasWord(search: InfoSearch, lore: Lore, book: LoreBook, words: readonly string[]): boolean {
  const places = [
    { lore, text: search.text.text, from: startOf(search, lore, book) },
    ...(book.isRecursive ? [{ lore, text: search.contents.join("\n"), from: 0 }] : []),
  ];
  return words.some((word) => places.some((place) => findWord(search, place, word) !== undefined));
}

/** Returns true when the occurrence has the right case and is a whole word; a keyword of several words may stand anywhere. */
function matchesWord(lore: Lore, keyword: string, text: string, range: Range): boolean {
  if (lore.caseSensitive && text.slice(...range) !== keyword) return false;
  return !lore.info.wholeWords || /\s/.test(keyword) || isWholeWord(text, range);
}
