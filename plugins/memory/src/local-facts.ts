import type { Memory, MemoryKind } from "@parley/core";
import type { FactPattern } from "./fact-forms.ts";
import { PATTERNS } from "./fact-patterns.ts";
import { sentencesInEarnest, withPlainQuotes } from "./in-earnest.ts";
import { thingOf } from "./meaning.ts";
import { hasRelativeDate } from "./relative-dates.ts";

/** Something worth remembering of a message. */
export interface Finding {
  readonly content: string;
  readonly title?: string;
  readonly kind: MemoryKind;
  /** What it says something of, where only one thing can be true. */
  readonly fact: string | null;
  readonly importance: number;
  readonly type?: Memory["type"];
  readonly expire_days?: number;
  /** Ids of memories whose place it takes. */
  readonly replaces?: readonly string[];
  /** The same as versions before this one named it. */
  readonly formerFact?: string;
  /** It ends what was so: only a memory of its fact that names this gives way. Empty: whichever there is. */
  readonly ends?: string;
}

const ABOUT_ONESELF = /\b(?:I|I'm|I've|I'll|we|we're|we've|my|our)\b|我|咱/iu;
const MAX_FINDINGS = 8;
/** What stands further behind is not looked at: this runs between other things. */
const MAX_READ = 8_000;
const MAX_EVENT = 300;
const PLAN =
  /\b(?:will|going to|tomorrow|next|plan(?:ning)? to|in (?:a|an|two|three|\d+) (?:day|week|month|year)s?)\b|明|后天|下个?(?:周|星期|礼拜|月)|打算|计划|将/iu;

/** Whether there is anything of its writer in a message at all; what has nothing is not worth a model's time. */
export function tellsOfOneself(text: string): boolean {
  return ABOUT_ONESELF.test(withPlainQuotes(text)) || hasRelativeDate(text);
}

/** Whether reading the message can lead to anything, with or without a model. */
export function mayTell(text: string): boolean {
  return tellsOfOneself(text) || localFindings(text).length > 0;
}

/** What a message tells of whoever wrote it, found by the form of its sentences: without a model, in English and Chinese. */
export function localFindings(text: string): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const { text: sentence, isLight } of sentencesInEarnest(text.slice(0, MAX_READ))) {
    const ended = new Set<string | null>();
    const facts: Finding[] = [];
    for (const pattern of PATTERNS) {
      // "I no longer live in Rome" does not say where somebody lives.
      if (ended.has(pattern.fact) || (isLight && isSlot(pattern))) continue;
      const made = factsIn(sentence, pattern);
      if (pattern.isEnd && made.length > 0) ended.add(pattern.fact);
      facts.push(...made);
    }
    // What has a day of its own is an event, with all that was said of it.
    const isEvent = ABOUT_ONESELF.test(sentence) && hasRelativeDate(sentence) && sentence.length <= MAX_EVENT;
    const all = isEvent ? [...facts, eventOf(sentence)] : facts;
    for (const one of all) if (!found.has(one.content)) found.set(one.content, one);
  }
  return [...found.values()].slice(0, MAX_FINDINGS);
}

/** True when only one value can hold, so that a new one replaces the old. */
function isSlot({ fact, kind }: FactPattern): boolean {
  return fact !== null && (kind !== "preference" || fact === "diet");
}

function factsIn(sentence: string, pattern: FactPattern): readonly Finding[] {
  const { en: english, zh: chinese, fits = () => true } = pattern;
  const inEnglish = english?.exec(sentence);
  const found = inEnglish ?? chinese?.exec(sentence);
  if (!found) return [];
  const [first = "", second = ""] = found
    .slice(1)
    .filter((group) => group !== undefined)
    .map(trimmed);
  const all = pattern.isList ? thingsIn(first) : [first];
  return all.flatMap((one) =>
    one === "" || !fits(one, second)
      ? []
      : [findingOf(pattern, one, second, inEnglish !== null && inEnglish !== undefined)],
  );
}

function findingOf(pattern: FactPattern, first: string, second: string, isEnglish: boolean): Finding {
  const { fact, kind, importance, say, sayZh, isEnd, keyOf = thingOf } = pattern;
  const content = (isEnglish ? say : sayZh)
    .replace("{}", () => first)
    .replace("{2}", () => second)
    .trim();
  const key = keyOf(first, second);
  return {
    content,
    kind,
    importance,
    fact: fact === null ? null : fact.replace("{}", () => key),
    ...(fact?.includes("{}") && !pattern.keyOf && { formerFact: fact.replace("{}", () => formerKeyOf(first)) }),
    ...(isEnd && { ends: pattern.keyOf ? "" : thingOf(first) }),
  };
}

/** "walnuts, pecans and cashews" are three things; in Chinese they end with what is said of all of them. */
function thingsIn(list: string): readonly string[] {
  const [, end = ""] = /(过敏)$/u.exec(list) ?? [];
  const things = list
    .slice(0, list.length - end.length)
    .split(/\s*(?:,|，|、|\/|\band\b|\bor\b|\bas well as\b|和|以及|跟|还有)\s*/u);
  return things
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => one + end);
}

function eventOf(sentence: string): Finding {
  const kind = PLAN.test(sentence) ? "plan" : "event";
  return { content: sentence, kind, importance: kind === "plan" ? 5 : 4, fact: null };
}

const trimmed = (text: string) => text.replace(/(?:工作|上班)$/u, "").trim();

function formerKeyOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^(?:the|a|an|my)\s+/, "")
    .slice(0, 60);
}
