import { stemmer } from "stemmer";
import { findDates } from "./dates.ts";
import { IRREGULAR } from "./irregular-words.ts";
import { STOP_CHARACTERS, STOP_FRAMES, STOP_PHRASES, STOP_SINGLES, STOP_WORDS } from "./stop-words.ts";

/** A search term of a text. */
export interface Term {
  /** A stem, a pair of characters in scripts without spaces, a number, or a date. */
  readonly term: string;
  /** Offset in the text, in UTF-16 units. */
  readonly at: number;
  readonly length: number;
  /** True when the term carries little of the topic. */
  readonly isCommon: boolean;
}

/** A term of a question. */
export interface QueryTerm {
  readonly term: string;
  /** True when every term beginning with it matches; a single character of an unspaced script. */
  readonly isPrefix: boolean;
}

const UNSPACED_SCRIPTS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}ー";
const WORD = new RegExp(
  `[${UNSPACED_SCRIPTS}\\p{M}]*[${UNSPACED_SCRIPTS}][${UNSPACED_SCRIPTS}\\p{M}]*|\\d{1,3}(?:,\\d{3})+|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED_SCRIPTS}]]+(?:['’][\\p{L}--[${UNSPACED_SCRIPTS}]]+)*`,
  "gv",
);
/** Word pattern for pure ASCII texts, which are most; takes a third of the time. */
const ASCII_WORD = /\d{1,3}(?:,\d{3})+|[A-Za-z0-9]+(?:'[A-Za-z]+)*/g;
const ASCII = /^[\p{ASCII}]*$/u;
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, "u");
const MAX_WORD = 64;
/** Maximum count of cached words; above it the cache is cleared. */
const MAX_CACHED = 50_000;
const wordCache = new Map<string, Pick<Term, "term" | "isCommon">>();
const pairCache = new Map<string, string>();

/** Returns the search terms of a text in order; a date adds its own terms to its words. */
export function termsOf(text: string): readonly Term[] {
  const found: Term[] = [];
  for (const { at, length, terms } of findDates(text)) {
    for (const term of terms) found.push({ term, at, length, isCommon: false });
  }
  const isPlain = ASCII.test(text);
  const pattern = isPlain ? ASCII_WORD : WORD;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [word] = match;
    if (!isPlain && UNSPACED.test(word)) addPairs(found, word, match.index);
    else {
      const { term, isCommon } = toTerm(word);
      found.push({ term, at: match.index, length: word.length, isCommon });
    }
  }
  return found;
}

/** Returns the distinct terms of a question, without common ones unless there are no others. */
export function queryTerms(question: string): readonly QueryTerm[] {
  const stripped = question.replaceAll(STOP_PHRASES, " ").replaceAll(STOP_FRAMES, " ");
  const all = termsOf(stripped);
  const significant = all.filter(({ isCommon }) => !isCommon);
  const source = significant.length > 0 ? significant : all.length > 0 ? all : termsOf(question);
  // In texts the last character of a run is a term of its own; in a question its pairs cover it.
  const single = (term: string) => UNSPACED.test(term) && [...term].length === 1;
  const paired = source.filter(({ term }) => UNSPACED.test(term) && !single(term));
  const covered = (at: number) => paired.some((pair) => at >= pair.at && at < pair.at + pair.length);
  const known = new Map<string, QueryTerm>();
  for (const { term, at } of source) {
    if (single(term) && (covered(at) || (isStopCharacter(term) && paired.length > 0))) continue;
    known.set(term, { term, isPrefix: single(term) });
  }
  return [...known.values()];
}

const isStopCharacter = (character: string) => STOP_CHARACTERS.has(character) || STOP_SINGLES.has(character);

function addPairs(found: Term[], run: string, start: number): void {
  let before: { readonly character: string; readonly at: number } | undefined;
  let at = start;
  for (const character of run) {
    if (before) {
      const term = foldPair(before.character + character);
      const isCommon = STOP_CHARACTERS.has(before.character) || STOP_CHARACTERS.has(character);
      found.push({ term, at: before.at, length: at + character.length - before.at, isCommon });
    }
    before = { character, at };
    at += character.length;
  }
  // Adds the last character, so that a single-character query finds every text: each character begins a pair or comes last.
  if (before) {
    const { character } = before;
    found.push({
      term: foldPair(character),
      at: before.at,
      length: character.length,
      isCommon: STOP_CHARACTERS.has(character),
    });
  }
}

function toTerm(word: string): Pick<Term, "term" | "isCommon"> {
  return memoize(wordCache, word.slice(0, MAX_WORD), (short) => {
    const plain = foldWord(short)
      .replace(/['’]s$/, "")
      .replaceAll(/['’,]/g, "");
    return { term: toStem(plain), isCommon: STOP_WORDS.has(plain) };
  });
}

function foldPair(characters: string): string {
  return memoize(pairCache, characters, foldWord);
}

function memoize<Value>(known: Map<string, Value>, text: string, make: (text: string) => Value): Value {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= MAX_CACHED) known.clear();
  const made = make(text);
  known.set(text, made);
  return made;
}

function foldWord(word: string): string {
  const plain = word.normalize("NFKC").toLowerCase();
  // Accents of Latin and Greek letters are removed; marks of other scripts are letters.
  return ASCII.test(plain) || UNSPACED.test(plain)
    ? plain
    : plain
        .normalize("NFD")
        .replaceAll(/(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, "")
        .normalize("NFC");
}

function toStem(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return word;
  const found = stemmer(IRREGULAR.get(word) ?? word);
  // A stem must not become a stop word: "Ines" is not "in".
  return found.length < 3 || STOP_WORDS.has(found) ? word : found;
}
