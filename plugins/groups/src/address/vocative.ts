import { listHomophones } from "./homophones.ts";
import {
  ABOUT_BEFORE,
  ABOUT_BEFORE_ZH,
  ABOUT_NEXT,
  ABOUT_NEXT_ZH,
  ADDRESSED_NEXT_ZH,
  ADVERBS,
  DOUBLED_VERB_ZH,
  FIRST_PERSON,
  MODALS,
  OPENERS,
  QUESTION,
  REQUEST,
  SECOND_PERSON,
  SECOND_PERSON_PLURAL,
  SUBJECTS,
  TIMES_ZH,
  TITLES_ZH,
} from "./vocabulary.ts";

/** Use of a name in a text: `called` turns to its bearer, `mentioned` speaks about them. */
export type NameUse = "called" | "mentioned" | "absent";

/** `loose` also finds letters drawn out ("Adaaa") and, at a beginning, characters of the same sound. */
export type Spelling = "exact" | "loose";

const NEXT_PUNCTUATION = /^(?:\s*[,，、:：!！?？~～…—]|\s*[.。]{2,}|\s+[-–—]\s|\s*$)/u;
const OPENER = new RegExp(`^(?:(?:${OPENERS})[\\s,，!！.。~～]*)+$`, "iu");
const ABOUT = new RegExp(`(?:^|[^\\p{L}])(?:${ABOUT_BEFORE})\\s*$|(?:${ABOUT_BEFORE_ZH})\\s*$`, "iu");
const ADVERB = new RegExp(`^(?:\\s+(?:${ADVERBS})\\b)+`, "iu");
/** A verb before its subject: "Ada can you", "Ada is it". */
const INVERTED = new RegExp(
  `^\\s+(?:(?:${MODALS})\\s+(?:${SUBJECTS})|(?:is|was)(?:n't)?\\s+(?:it|he|she|that|this|there)|(?:has|had|does|did)(?:n't)?\\s+(?:you|we|i|he|she|they|anyone|anybody|someone|somebody|everyone))\\b`,
  "iu",
);
/** The same where only the rest tells: "Ada is the shop open?", not "Ada is a language?". */
const INVERTED_QUESTION = new RegExp(
  `^\\s+(?:is|was|has|had|does|did)(?:n't)?\\s+(?:${SUBJECTS})(?:\\s+\\S+){2,}[?？]\\s*$|^\\s+(?:does|did)(?:\\s+\\S+){3,}[?？]\\s*$`,
  "iu",
);
const ABOUT_AFTER = new RegExp(`^\\s+(?:${ABOUT_NEXT})\\b|^\\s*[&+/=]`, "iu");
/** The rest of a list of names: "Ada, Tom and Lea". */
const LISTED = /^\s*(?:、|,\s*(?:and\s+)?\p{Lu}\p{L}*\s*(?:,|and\b|or\b|&))/u;
const PLEASE_LAST = /\b(?:please|pls|plz)\W*$/iu;
const TITLE = new RegExp(`^(?:${TITLES_ZH})`, "u");
const ADDRESSED_ZH = new RegExp(`^(?:${ADDRESSED_NEXT_ZH}|${DOUBLED_VERB_ZH})`, "u");
const TIME_ZH = new RegExp(`^(?:(?:${TIMES_ZH})的?)+`, "u");
const ABOUT_AFTER_ZH = new RegExp(`^(?:${ABOUT_NEXT_ZH})`, "u");
const SOFT_CALL =
  /(?:\b(?:thanks|thank you|thx|ty|please|pls|plz|hi|hello|hey|morning|night|bye|goodnight|welcome back|right|ok|okay|sorry|love you)|谢谢|晚安|早安|早|拜拜|你好|辛苦了|多谢)\s*$/iu;
const SENTENCE_END = /[.。!！?？;；\n]+/u;

/** Returns how a text uses any of the names; a call wins over a mention. */
export function findNameUse(names: readonly string[], text: string, spelling: Spelling = "exact"): NameUse {
  const patterns = names.map((name) => (spelling === "loose" ? toLoosePattern(name) : toNamePattern(name)));
  const uses = splitSentences(text).flatMap((sentence) => patterns.map((name) => findUseInSentence(name, sentence)));
  return uses.find((use) => use === "called") ?? uses.find((use) => use === "mentioned") ?? "absent";
}

/** Splits at the ends of sentences; the sign stays with its sentence. */
function splitSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  let rest = text;
  for (let end = SENTENCE_END.exec(rest); end; end = SENTENCE_END.exec(rest)) {
    sentences.push(rest.slice(0, end.index + end[0].length).trim());
    rest = rest.slice(end.index + end[0].length);
  }
  return [...sentences, rest.trim()].filter((sentence) => sentence !== "");
}

function findUseInSentence(name: RegExp, sentence: string): NameUse {
  let use: NameUse = "absent";
  for (const { index, 0: found } of sentence.matchAll(name)) {
    const before = sentence.slice(0, index).trimEnd();
    const after = sentence.slice(index + found.length);
    if (isCall(before, after, sentence)) return "called";
    use = "mentioned";
  }
  return use;
}

/** Matches the name as a word of its own. */
function toNamePattern(name: string): RegExp {
  return isChinese(name) ? new RegExp(RegExp.escape(name), "giu") : toWordPattern(RegExp.escape(name));
}

function toLoosePattern(name: string): RegExp {
  if (/^\p{Script=Han}+$/u.test(name)) {
    const alike = [...name].map((one) => `[${listHomophones(one).join("")}]`).join("");
    return new RegExp(`${name}|(?<![\\p{L}\\p{N}])${alike}`, "gu");
  }
  if (isChinese(name)) return toNamePattern(name);
  // A run of the same letter is one piece of the pattern, else a text of that letter alone would take very long.
  const runs = name.match(/(\p{L})\1*|\P{L}/giu) ?? [];
  return toWordPattern(
    runs.map((run) => (/\p{L}/u.test(run) ? `${[...run][0]}{${[...run].length},}` : RegExp.escape(run))).join(""),
  );
}

function isChinese(name: string): boolean {
  return /\p{Script=Han}/u.test(name);
}

function toWordPattern(name: string): RegExp {
  return new RegExp(`(?<![A-Za-z\\p{N}_@'’-])${name}(?![A-Za-z\\p{N}_'’-])`, "giu");
}

function isCall(before: string, after: string, sentence: string): boolean {
  if (before === "" || OPENER.test(before)) return isCallAtStart(after, sentence);
  if (/[,，、:：~～…]$/u.test(before)) return isSetOff(before, after, sentence);
  if (ABOUT.test(before)) return false;
  if (/^(?:你|您|请|帮我|麻烦)/u.test(after)) return true;
  const isLast = /^\s*(?:[,，:：?？!！.。~～…)）]|$)/u.test(after);
  if (!isLast) return false;
  if (/[呀啊吧呢吗哦啦嘛]$/u.test(before)) return true;
  const asks = FIRST_PERSON.test(before) && (QUESTION.test(sentence) || REQUEST.test(sentence));
  return asks || SOFT_CALL.test(before) || (SECOND_PERSON.test(before) && !SECOND_PERSON_PLURAL.test(before));
}

/** Returns true when a name at the beginning is followed by a sign, or by words that are not about its bearer. */
function isCallAtStart(after: string, sentence: string): boolean {
  const rest = after.replace(TITLE, "").replace(ADVERB, "");
  if (LISTED.test(after)) return false;
  if (NEXT_PUNCTUATION.test(rest) || INVERTED.test(rest) || INVERTED_QUESTION.test(rest) || PLEASE_LAST.test(sentence))
    return true;
  if (/^\s*\p{Script=Han}/u.test(rest)) return isChineseCall(rest, sentence.slice(0, -after.length));
  return !ABOUT_AFTER.test(rest) && !/^\s+(?!I\b)\p{Lu}\p{Ll}/u.test(rest);
}

/** Returns true when Chinese words after a name are said to its bearer. A space sets a Chinese name apart, as there are none else. */
function isChineseCall(after: string, before: string): boolean {
  const rest = after.trimStart().replace(TIME_ZH, "");
  if (
    ADDRESSED_ZH.test(rest) ||
    ADDRESSED_ZH.test(after.trimStart()) ||
    (/^\s/u.test(after) && /\p{Script=Han}$/u.test(before))
  )
    return true;
  const [clause = ""] = rest.split(/[,，]/u);
  return (
    !ABOUT_AFTER_ZH.test(rest) &&
    (QUESTION.test(clause) || !/[了过](?![的没])|^\p{Script=Han}{1,2}[的得]/u.test(clause))
  );
}

/** Returns true when a name after a comma is a call: at the end of the sentence, or between commas, or before a request. */
function isSetOff(before: string, after: string, sentence: string): boolean {
  if (/^\s*(?:$|[?？!！.。~～…])/u.test(after)) return !isEnumeration(sentence);
  return !before.endsWith("、") && !isEnumeration(before) && isCallAtStart(after, sentence);
}

/** Returns true for a list of names or things, such as "Tom, Ben, Ada". */
function isEnumeration(text: string): boolean {
  const parts = text.split(/[,，、]/u);
  return parts.length > 2 && parts.every((part) => part.trim().split(/\s+/u).length <= 2);
}
