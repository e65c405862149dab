import type { Memory, MemoryKind } from "@parley/core";
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
}

interface Pattern {
  /** With `{}`: one for each thing. */
  readonly fact: string | null;
  readonly kind: MemoryKind;
  readonly importance: number;
  readonly en?: RegExp;
  readonly zh?: RegExp;
  /** `{}` is what the first group found, `{2}` the second. */
  readonly say: string;
  readonly sayZh: string;
}

const WHAT = "([^.!?;,\\n]{1,80}?)";
const UNTIL = "(?=\\s+(?:and|but|because|so|since|with|now|these days|at the moment|anymore)\\b|[.!?;,\\n]|$)";
const WHAT_ZH = "([^。！？；，、,.!?\\n]{1,40}?)";
const UNTIL_ZH = "(?=了?(?:[。！？；，、,.!?\\n]|$)|，)";
const en = (source: string) => new RegExp(`\\b${source}\\s+${WHAT}${UNTIL}`, "iu");
const zh = (source: string) => new RegExp(`${source}${WHAT_ZH}${UNTIL_ZH}`, "u");
const RELATIVE =
  "(?:mother|mom|mum|father|dad|sister|brother|wife|husband|partner|girlfriend|boyfriend|son|daughter|dog|cat|best friend|boss)";
const RELATIVE_ZH =
  "(?:妈妈|爸爸|母亲|父亲|姐姐|妹妹|哥哥|弟弟|妻子|老婆|丈夫|老公|女朋友|男朋友|儿子|女儿|狗|猫|朋友|老板)";

/** What people say of themselves, by its form. Each message is held against all of them. */
const PATTERNS: readonly Pattern[] = [
  {
    fact: "name",
    kind: "fact",
    importance: 9,
    en: en("(?:my name is|my name's|call me)"),
    zh: zh("(?:我叫|我的名字(?:是|叫)|叫我)"),
    say: "Is called {}",
    sayZh: "名叫{}",
  },
  {
    fact: "home",
    kind: "fact",
    importance: 8,
    en: en(
      "(?:I(?:'ve| have)? (?:just )?moved (?:here )?(?:from \\S+ )?to|I(?:'m| am)? (?:now |currently )?liv(?:e|ing) in|I(?:'m| am) based in)",
    ),
    zh: zh("我(?:现在|目前|刚|已经)?(?:住在|搬到|搬去|定居在)"),
    say: "Lives in {}",
    sayZh: "住在{}",
  },
  {
    fact: "origin",
    kind: "fact",
    importance: 6,
    en: en("(?:I(?:'m| am) (?:originally )?from|I come from|I grew up in|I was born in)"),
    zh: zh("(?:我来自|我老家(?:是|在)?|我出生在)"),
    say: "Comes from {}",
    sayZh: "来自{}",
  },
  {
    fact: "work",
    kind: "fact",
    importance: 7,
    en: en("(?:I work (?:as|at|for|in)|I(?:'ve| have)? (?:just )?(?:started (?:working )?(?:as|at)|joined)|my job is)"),
    zh: zh("我(?:现在|目前)?(?:的工作是|的职业是|在(?=[^。，]*(?:工作|上班)))"),
    say: "Works as or at {}",
    sayZh: "工作：{}",
  },
  {
    fact: "age",
    kind: "fact",
    importance: 6,
    en: /\bI(?:'m| am| just turned) (\d{1,3})(?: years old)?(?=[.!,;\n]|$| and| now)/iu,
    zh: /我(?:今年|已经)?(\d{1,3})岁/u,
    say: "Is {} years old",
    sayZh: "{}岁",
  },
  {
    fact: "birthday",
    kind: "fact",
    importance: 8,
    en: en("my birthday is(?: on)?"),
    zh: zh("我的?生日(?:是|在)"),
    say: "Has birthday on {}",
    sayZh: "生日是{}",
  },
  {
    fact: "study",
    kind: "fact",
    importance: 6,
    en: en("I(?:'m| am)? study(?:ing)?"),
    zh: zh("我(?:在学|学的是|读的是|的专业是)"),
    say: "Studies {}",
    sayZh: "在学{}",
  },
  {
    fact: "allergy:{}",
    kind: "fact",
    importance: 9,
    en: en("I(?:'m| am) allergic to"),
    zh: zh("我对(?=[^。，]*过敏)"),
    say: "Is allergic to {}",
    sayZh: "对{}",
  },
  {
    fact: "diet",
    kind: "preference",
    importance: 7,
    en: /\bI(?:'m| am) (?:a )?(vegan|vegetarian|pescatarian)\b/iu,
    zh: /我(?:是|吃)?(素食者|纯素|吃素)/u,
    say: "Is {}",
    sayZh: "{}",
  },
  {
    fact: "favourite:{}",
    kind: "preference",
    importance: 6,
    en: new RegExp(`\\bmy favou?rite ([a-z ]{2,30}?) is ${WHAT}${UNTIL}`, "iu"),
    zh: new RegExp(`我最(?:喜欢|爱)的([^是，。]{1,12})是${WHAT_ZH}${UNTIL_ZH}`, "u"),
    say: "Favourite {}: {2}",
    sayZh: "最喜欢的{}是{2}",
  },
  {
    fact: "taste:{}",
    kind: "preference",
    importance: 5,
    en: en("I (?:really |absolutely |do )?(?:like|love|enjoy|adore)"),
    zh: zh("我(?:很|非常|特别|最)?(?:喜欢|爱)(?!的|上)"),
    say: "Likes {}",
    sayZh: "喜欢{}",
  },
  {
    fact: "taste:{}",
    kind: "preference",
    importance: 5,
    en: en("I (?:really |absolutely )?(?:hate|dislike|can't stand|cannot stand|don't like|do not like)"),
    zh: zh("我(?:很|非常|特别|最)?(?:讨厌|不喜欢)"),
    say: "Dislikes {}",
    sayZh: "不喜欢{}",
  },
  {
    fact: "relative:{}",
    kind: "relation",
    importance: 7,
    en: new RegExp(`\\bmy (${RELATIVE})(?:'s name is| is called| is named)\\s+${WHAT}${UNTIL}`, "iu"),
    zh: new RegExp(`我的?(${RELATIVE_ZH})(?:叫|名叫|的名字是)${WHAT_ZH}${UNTIL_ZH}`, "u"),
    say: "Has a {} called {2}",
    sayZh: "{}叫{2}",
  },
  {
    fact: null,
    kind: "other",
    importance: 8,
    en: /\b(?:please )?remember(?: that|:)\s+([^\n]{3,300})/iu,
    zh: /(?:请|帮我)?记住[:：，,]?([^\n]{2,200})/u,
    say: "{}",
    sayZh: "{}",
  },
];

const SENTENCE = /[^.!?。！？\n]+[.!?。！？]*/gu;
const NOT_MEANT =
  /[?？]\s*$|吗\s*[。？?]?$|\b(?:if|wish|would|imagine|pretend|suppose|used to|never|maybe)\b|如果|假如|要是|想象|假装|以前|曾经|可能/iu;
/** What is acted out is not said. */
const ACTED = /\*[^*\n]*\*|（[^）\n]*）|"[^"\n]*"|“[^”\n]*”|```[\s\S]*?```|^>.*$/gmu;
const ABOUT_ONESELF = /\b(?:I|I'm|I've|I'll|we|we're|we've|my|our)\b|我|咱/iu;
const MAX_FINDINGS = 8;
/** What stands further behind is not looked at: this runs between other things. */
const MAX_READ = 8_000;
const MAX_EVENT = 300;
const PLAN =
  /\b(?:will|going to|tomorrow|next|plan(?:ning)? to|in (?:a|an|two|three|\d+) (?:day|week|month|year)s?)\b|明|后天|下个?(?:周|星期|礼拜|月)|打算|计划|将/iu;

/** Whether there is anything of its writer in a message at all; what has nothing is not worth a model's time. */
export function tellsOfOneself(text: string): boolean {
  return ABOUT_ONESELF.test(text) || hasRelativeDate(text);
}

/** Whether reading the message can lead to anything, with or without a model. */
export function mayTell(text: string): boolean {
  return tellsOfOneself(text) || localFindings(text).length > 0;
}

/** What a message tells of whoever wrote it, found by the form of its sentences: without a model, in English and Chinese. */
export function localFindings(text: string): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const [whole] of text.slice(0, MAX_READ).replaceAll(ACTED, " ").matchAll(SENTENCE)) {
    const sentence = whole.trim();
    if (sentence.length < 3 || NOT_MEANT.test(sentence)) continue;
    const facts = PATTERNS.flatMap((pattern) => factIn(sentence, pattern));
    // What has a day of its own is an event, with all that was said of it.
    const isEvent = ABOUT_ONESELF.test(sentence) && hasRelativeDate(sentence) && sentence.length <= MAX_EVENT;
    const all = isEvent ? [...facts, eventOf(sentence)] : facts;
    for (const one of all) if (!found.has(one.content)) found.set(one.content, one);
  }
  return [...found.values()].slice(0, MAX_FINDINGS);
}

function factIn(
  sentence: string,
  { fact, kind, importance, en: english, zh: chinese, say, sayZh }: Pattern,
): readonly Finding[] {
  const inEnglish = english?.exec(sentence);
  const found = inEnglish ?? chinese?.exec(sentence);
  const first = trimmed(found?.[1]);
  if (!found || first === "") return [];
  const second = trimmed(found[2]);
  const content = (inEnglish ? say : sayZh).replace("{}", () => first).replace("{2}", () => second);
  return [{ content, kind, importance, fact: fact === null ? null : fact.replace("{}", () => keyOf(first)) }];
}

function eventOf(sentence: string): Finding {
  const kind = PLAN.test(sentence) ? "plan" : "event";
  return { content: sentence, kind, importance: kind === "plan" ? 5 : 4, fact: null };
}

const trimmed = (text = "") => text.replace(/(?:工作|上班)$/u, "").trim();

function keyOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^(?:the|a|an|my)\s+/, "")
    .slice(0, 60);
}
