import type { Memory, MemoryKind } from "@parley/core";
import type { FactPattern } from "./fact-grammar.ts";
import { PATTERNS } from "./fact-patterns.ts";
import { normalizeThing } from "./normalize-meaning.ts";
import { hasRelativeDate } from "./relative-dates.ts";
import { extractSincereSentences, normalizeQuotes } from "./sincere-sentences.ts";

/** A fact in a message that is worth remembering. */
export interface MemoryCandidate {
  readonly content: string;
  readonly title?: string;
  readonly kind: MemoryKind;
  /** Key of the fact when it has one current value. */
  readonly fact: string | null;
  readonly importance: number;
  readonly type?: Memory["type"];
  readonly expire_days?: number;
  /** Ids of the memories it replaces. */
  readonly replaces?: readonly string[];
  /** Key of the same fact in earlier versions. */
  readonly formerFact?: string;
  /** The thing whose fact ends, so that only memories that name it are replaced; empty for any memory of the fact. */
  readonly ends?: string;
}

const FIRST_PERSON = /\b(?:I|I'm|I've|I'll|we|we're|we've|my|our)\b|我|咱/iu;
const MAX_CANDIDATES = 8;
/** Maximum characters read, because this runs on the event loop. */
const MAX_READ_CHARS = 8_000;
const MAX_EVENT_CHARS = 300;
const PLAN_PATTERN =
  /\b(?:will|going to|tomorrow|next|plan(?:ning)? to|in (?:a|an|two|three|\d+) (?:day|week|month|year)s?)\b|明|后天|下个?(?:周|星期|礼拜|月)|打算|计划|将/iu;

/** Returns true when a message mentions its author, so that a model call is worthwhile. */
export function mentionsSelf(text: string): boolean {
  return FIRST_PERSON.test(normalizeQuotes(text)) || hasRelativeDate(text);
}

/** Returns true when a message may contain facts, with or without a model. */
export function mayContainFacts(text: string): boolean {
  return mentionsSelf(text) || extractLocally(text).length > 0;
}

/** Extracts facts about the author by sentence patterns, without a model, in English and Chinese. */
export function extractLocally(text: string): readonly MemoryCandidate[] {
  const candidates = new Map<string, MemoryCandidate>();
  for (const { text: sentence, isLight } of extractSincereSentences(text.slice(0, MAX_READ_CHARS))) {
    const endedFacts = new Set<string | null>();
    const facts: MemoryCandidate[] = [];
    for (const pattern of PATTERNS) {
      // "I no longer live in Rome" does not say where the person lives.
      if (endedFacts.has(pattern.fact) || (isLight && isSingleValue(pattern))) continue;
      const extracted = extractFacts(sentence, pattern);
      if (pattern.endsFact && extracted.length > 0) endedFacts.add(pattern.fact);
      facts.push(...extracted);
    }
    // A sentence with a relative date is stored as a whole, as an event.
    const isEvent = FIRST_PERSON.test(sentence) && hasRelativeDate(sentence) && sentence.length <= MAX_EVENT_CHARS;
    const all = isEvent ? [...facts, toEvent(sentence)] : facts;
    for (const one of all) if (!candidates.has(one.content)) candidates.set(one.content, one);
  }
  return [...candidates.values()].slice(0, MAX_CANDIDATES);
}

/** True when only one value can hold, so that a new one replaces the old. */
function isSingleValue({ fact, kind }: FactPattern): boolean {
  return fact !== null && (kind !== "preference" || fact === "diet");
}

function extractFacts(sentence: string, pattern: FactPattern): readonly MemoryCandidate[] {
  const { en: english, zh: chinese, fits = () => true } = pattern;
  const englishMatch = english?.exec(sentence);
  const found = englishMatch ?? chinese?.exec(sentence);
  if (!found) return [];
  const [first = "", second = ""] = found
    .slice(1)
    .filter((group) => group !== undefined)
    .map(trimEnding);
  const all = pattern.isList ? splitList(first) : [first];
  return all.flatMap((one) =>
    one === "" || !fits(one, second)
      ? []
      : [toCandidate(pattern, one, second, englishMatch !== null && englishMatch !== undefined)],
  );
}

function toCandidate(pattern: FactPattern, first: string, second: string, isEnglish: boolean): MemoryCandidate {
  const { fact, kind, importance, statement, statementZh, endsFact, keyOf = normalizeThing } = pattern;
  const content = (isEnglish ? statement : statementZh)
    .replace("{}", () => first)
    .replace("{2}", () => second)
    .trim();
  const key = keyOf(first, second);
  return {
    content,
    kind,
    importance,
    fact: fact === null ? null : fact.replace("{}", () => key),
    ...(fact?.includes("{}") && !pattern.keyOf && { formerFact: fact.replace("{}", () => toLegacyKey(first)) }),
    ...(endsFact && { ends: pattern.keyOf ? "" : normalizeThing(first) }),
  };
}

/** Splits "walnuts, pecans and cashews" into three things; a shared Chinese ending is repeated for each. */
function splitList(list: string): readonly string[] {
  const [, end = ""] = /(过敏)$/u.exec(list) ?? [];
  const things = list
    .slice(0, list.length - end.length)
    .split(/\s*(?:,|，|、|\/|\band\b|\bor\b|\bas well as\b|和|以及|跟|还有)\s*/u);
  return things
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => one + end);
}

function toEvent(sentence: string): MemoryCandidate {
  const kind = PLAN_PATTERN.test(sentence) ? "plan" : "event";
  return { content: sentence, kind, importance: kind === "plan" ? 5 : 4, fact: null };
}

const trimEnding = (text: string) => text.replace(/(?:工作|上班)$/u, "").trim();

function toLegacyKey(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^(?:the|a|an|my)\s+/, "")
    .slice(0, 60);
}
