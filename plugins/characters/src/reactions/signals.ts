import { createWordFinder, type FoundWord } from "./word-finder.ts";
import { NEGATED_SIGNALS, NEGATIONS, SIGNALS, type Signal, WORDS } from "./words.ts";

/** A word that carries a signal. */
export interface SignalWord {
  readonly word: string;
  readonly signal: Signal;
  readonly weight: number;
  /** True when a negation before the word inverts it. */
  readonly negated: boolean;
}

export type Scores = { readonly [Name in `${Signal}_score`]: number };

/** Signals of a user's text: scores from 0 to 1, and the words that caused them. */
export type Signals = Scores & {
  /** −1 to 1. */
  readonly sentiment: number;
  readonly detected_keywords: readonly string[];
  readonly words: readonly SignalWord[];
};

const EXPLICIT_WEIGHT = 0.6;
const HINT_WEIGHT = 0.3;
const NEGATED_SHARE = 0.6;
const MAX_CHARS = 8_000;
const MAX_KEYWORDS = 32;
/** Reach of a negation in characters. */
const NEGATION_REACH_CHARS = 14;
const CLAUSE_END = /[。！？!?.,，；;\n]/;
const POSITIVE_SIGNALS: readonly Signal[] = [
  "praise",
  "affection",
  "care",
  "intimacy",
  "reassurance",
  "joy",
  "playfulness",
  "apology",
];
const NEGATIVE_SIGNALS: readonly Signal[] = ["hostility", "rejection", "anger", "sadness", "anxiety", "sarcasm"];

type WordMeaning = { readonly signal: Signal; readonly weight: number } | "negation";

const split = (words: string) => words.split("|").map((word) => word.trim());
const findWords = createWordFinder<WordMeaning>([
  ...split(NEGATIONS).map((word) => [word, "negation"] as const),
  ...Object.entries(WORDS).flatMap(([signal, { plain, hint }]) => [
    ...split(plain).map((word) => [word, { signal: signal as Signal, weight: EXPLICIT_WEIGHT }] as const),
    ...split(hint).map((word) => [word, { signal: signal as Signal, weight: HINT_WEIGHT }] as const),
  ]),
]);

/** Scores a text without a model; 2,000 characters take a fraction of a millisecond. */
export function scoreSignals(text: string): Signals {
  const normalized = text.slice(0, MAX_CHARS).toLowerCase().replaceAll("’", "'");
  const found = findWords(normalized);
  const words = toSignalWords(normalized, found);
  const sums = new Map<Signal, number>();
  const add = (signal: Signal, weight: number) => sums.set(signal, (sums.get(signal) ?? 0) + weight);
  for (const { signal, weight } of words) add(signal, weight);
  if (/[?？]/.test(normalized)) add("question", HINT_WEIGHT);
  add("arousal", scoreArousal(text.slice(0, MAX_CHARS)));
  const score = (signal: Signal) => round2(Math.min(1, sums.get(signal) ?? 0));
  const negated = words.filter((one) => one.negated).length;
  const strength = (signals: readonly Signal[]) => signals.reduce((sum, signal) => sum + score(signal), 0);
  const [good, bad] = [strength(POSITIVE_SIGNALS), strength(NEGATIVE_SIGNALS)];
  const scores = Object.fromEntries(
    SIGNALS.map((signal) => [
      `${signal}_score`,
      signal === "negation_scope" ? Math.min(1, negated / 2) : score(signal),
    ]),
  );
  return {
    ...(scores as unknown as Scores),
    sentiment: good + bad === 0 ? 0 : round2((good - bad) / Math.max(1, good + bad)),
    detected_keywords: [...new Set(words.map(({ word }) => word))].slice(0, MAX_KEYWORDS),
    words: words.slice(0, MAX_KEYWORDS),
  };
}

function toSignalWords(text: string, found: readonly FoundWord<WordMeaning>[]): readonly SignalWord[] {
  let negatedUpTo = -1;
  const signalWords: SignalWord[] = [];
  for (const { word, at, meanings } of found) {
    const negated = at <= negatedUpTo;
    for (const meaning of meanings) {
      if (meaning === "negation") negatedUpTo = findNegationEnd(text, at + word.length);
      else if (!negated) signalWords.push({ word, ...meaning, negated });
      else {
        const signal = NEGATED_SIGNALS[meaning.signal];
        if (signal) signalWords.push({ word, signal, weight: round2(meaning.weight * NEGATED_SHARE), negated });
      }
    }
  }
  return signalWords;
}

/** Returns the end of the clause that a negation inverts. */
function findNegationEnd(text: string, from: number): number {
  const part = text.slice(from, from + NEGATION_REACH_CHARS);
  const end = part.search(CLAUSE_END);
  return from + (end < 0 ? part.length : end);
}

/** Scores loud writing: exclamation marks and mostly capital letters. */
function scoreArousal(text: string): number {
  const marks = Math.min(3, text.match(/[!！]/g)?.length ?? 0);
  const letters = text.match(/[A-Z]/g)?.length ?? 0;
  const isShouted = letters >= 6 && letters > (text.match(/[a-z]/g)?.length ?? 0);
  return marks * 0.15 + (isShouted ? 0.4 : 0);
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
