import { stemmer } from "stemmer";
import { datesIn } from "./dates.ts";
import { IRREGULAR } from "./irregular-words.ts";
import { STOP_CHARACTERS, STOP_FRAMES, STOP_PHRASES, STOP_SINGLES, STOP_WORDS } from "./stop-words.ts";

/** Something that a text is found by. */
export interface Term {
  /** A word in its stem, a pair of characters where words are not set apart, a number, a date. */
  readonly term: string;
  /** Where it stands in the text, in UTF-16 units. */
  readonly at: number;
  readonly length: number;
  /** True: it says little of what the text is about. */
  readonly isCommon: boolean;
}

/** A term of a question. */
export interface QueryTerm {
  readonly term: string;
  /** True: everything that begins with it fits; one character of a script without spaces. */
  readonly isPrefix: boolean;
}

const UNSPACED_SCRIPTS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}ー";
const WORD = new RegExp(
  `[${UNSPACED_SCRIPTS}\\p{M}]*[${UNSPACED_SCRIPTS}][${UNSPACED_SCRIPTS}\\p{M}]*|\\d{1,3}(?:,\\d{3})+|(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{N}\\p{M}])+(?:['’](?:(?![${UNSPACED_SCRIPTS}])\\p{L})+)*`,
  "gu",
);
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, "u");
const MAX_WORD = 64;
const MAX_STEMS = 50_000;
const stems = new Map<string, string>();

/** What a text is found by, in order; a date stands beside its words. */
export function* termsOf(text: string): Generator<Term> {
  for (const { at, length, terms } of datesIn(text)) {
    for (const term of terms) yield { term, at, length, isCommon: false };
  }
  for (const found of text.matchAll(WORD)) {
    const [word] = found;
    if (UNSPACED.test(word)) yield* pairsOf(word, found.index);
    else yield { ...wordTerm(word), at: found.index, length: word.length };
  }
}

/** What a question asks for: each term once, without those that every question has, unless there are no others. */
export function queryTerms(question: string): readonly QueryTerm[] {
  const asked = question.replaceAll(STOP_PHRASES, " ").replaceAll(STOP_FRAMES, " ");
  const all = [...termsOf(asked)];
  const telling = all.filter(({ isCommon }) => !isCommon);
  const source = telling.length > 0 ? telling : all.length > 0 ? all : [...termsOf(question)];
  // The last character of a run stands alone in texts; in a question its pairs say it already.
  const single = (term: string) => UNSPACED.test(term) && [...term].length === 1;
  const pairs = source.filter(({ term }) => UNSPACED.test(term) && !single(term));
  const covered = (at: number) => pairs.some((pair) => at >= pair.at && at < pair.at + pair.length);
  const known = new Map<string, QueryTerm>();
  for (const { term, at } of source) {
    if (single(term) && (covered(at) || (isBare(term) && pairs.length > 0))) continue;
    known.set(term, { term, isPrefix: single(term) });
  }
  return [...known.values()];
}

const isBare = (character: string) => STOP_CHARACTERS.has(character) || STOP_SINGLES.has(character);

function* pairsOf(run: string, start: number): Generator<Term> {
  let before: { readonly character: string; readonly at: number } | undefined;
  let at = start;
  for (const character of run) {
    if (before) {
      const term = folded(before.character + character);
      const isCommon = STOP_CHARACTERS.has(before.character) || STOP_CHARACTERS.has(character);
      yield { term, at: before.at, length: at + character.length - before.at, isCommon };
    }
    before = { character, at };
    at += character.length;
  }
  // So that one character finds every text that has it: each begins a pair or stands last.
  if (before) {
    const { character } = before;
    yield {
      term: folded(character),
      at: before.at,
      length: character.length,
      isCommon: STOP_CHARACTERS.has(character),
    };
  }
}

function wordTerm(word: string): Pick<Term, "term" | "isCommon"> {
  const plain = folded(word.slice(0, MAX_WORD))
    .replace(/['’]s$/, "")
    .replaceAll(/['’,]/g, "");
  return { term: stemOf(plain), isCommon: STOP_WORDS.has(plain) };
}

function folded(word: string): string {
  const plain = word.normalize("NFKC").toLowerCase();
  // Accents of Latin and Greek letters say nothing; marks of other scripts are letters.
  return /^[\p{ASCII}]*$/u.test(plain) || UNSPACED.test(plain)
    ? plain
    : plain
        .normalize("NFD")
        .replaceAll(/(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, "")
        .normalize("NFC");
}

function stemOf(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_STEMS) stems.clear();
  const found = stemmer(IRREGULAR.get(word) ?? word);
  // Ines is not "in".
  const stem = found.length < 3 || STOP_WORDS.has(found) ? word : found;
  stems.set(word, stem);
  return stem;
}
