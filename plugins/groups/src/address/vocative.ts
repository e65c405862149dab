import {
  ABOUT_BEFORE,
  ABOUT_BEFORE_ZH,
  ABOUT_NEXT,
  ADDRESSED_NEXT,
  ADDRESSED_NEXT_ZH,
  OPENERS,
  SECOND_PERSON,
} from "./vocabulary.ts";

/** Use of a name in a text: `called` turns to its bearer, `mentioned` speaks about them. */
export type NameUse = "called" | "mentioned" | "absent";

const NEXT_PUNCTUATION = "\\s*[,，、:：!！?？~～…—]|\\s*[.。]{2,}|\\s+[-–—]\\s|\\s*$";
const OPENER = new RegExp(`^(?:(?:${OPENERS})[\\s,，!！.。~～]*)+$`, "iu");
const ADDRESSED = new RegExp(`^(?:${NEXT_PUNCTUATION}|\\s+(?:${ADDRESSED_NEXT})|\\s*(?:${ADDRESSED_NEXT_ZH}))`, "iu");
const ABOUT = new RegExp(`(?:^|[^\\p{L}])(?:${ABOUT_BEFORE})\\s*$|(?:${ABOUT_BEFORE_ZH})\\s*$`, "iu");
const ABOUT_AFTER = new RegExp(`^\\s+(?:${ABOUT_NEXT})\\b`, "iu");
const SOFT_CALL =
  /(?:\b(?:thanks|thank you|thx|please|hi|hello|hey|morning|night|bye|goodnight|welcome back|right|ok|okay|sorry|love you)|谢谢|晚安|早安|早|拜拜|你好|辛苦了|多谢)\s*$/iu;
const SENTENCE_END = /[.。!！?？;；\n]+/u;

/** Returns how a text uses any of the names; a call wins over a mention. */
export function findNameUse(names: readonly string[], text: string): NameUse {
  const uses = splitSentences(text).flatMap((sentence) => names.map((name) => findUseInSentence(name, sentence)));
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

function findUseInSentence(name: string, sentence: string): NameUse {
  let use: NameUse = "absent";
  for (const { index, 0: found } of sentence.matchAll(toNamePattern(name))) {
    const before = sentence.slice(0, index).trimEnd();
    const after = sentence.slice(index + found.length);
    if (isCall(before, after, sentence)) return "called";
    use = "mentioned";
  }
  return use;
}

/** Matches the name as a word of its own, also with its last letter drawn out: "Adaaa". */
function toNamePattern(name: string): RegExp {
  const escaped = RegExp.escape(name);
  const last = RegExp.escape([...name].at(-1) ?? "");
  const isSpaceless = /\p{Script=Han}/u.test(name);
  return isSpaceless
    ? new RegExp(escaped, "giu")
    : new RegExp(`(?<![A-Za-z\\p{N}_@'’-])${escaped}${last}*(?![A-Za-z\\p{N}_'’-])`, "giu");
}

function isCall(before: string, after: string, sentence: string): boolean {
  if (before === "" || OPENER.test(before)) return isCallAtStart(after, sentence);
  if (/[,，、:：~～…]$/u.test(before)) return isSetOff(before, after, sentence);
  const isLast = /^[\s?？!！.。~～…)）]*$/u.test(after);
  if (!isLast || ABOUT.test(before)) return false;
  return SOFT_CALL.test(before) || SECOND_PERSON.test(before);
}

/** Returns true when a name at the beginning is followed by a sign, a request, or a question that is not about its bearer. */
function isCallAtStart(after: string, sentence: string): boolean {
  if (ADDRESSED.test(after) || isSpacedCall(after, sentence)) return true;
  return /^\s+\S.*[?？]$/u.test(after) && !ABOUT_AFTER.test(after);
}

/** Returns true for a name that a space sets apart in a Chinese sentence, which has no spaces else. */
function isSpacedCall(after: string, sentence: string): boolean {
  return /^\s+\S/u.test(after) && /\p{Script=Han}$/u.test(sentence.slice(0, -after.length));
}

/** Returns true when a name after a comma is a call: at the end of the sentence, or between commas, or before a request. */
function isSetOff(before: string, after: string, sentence: string): boolean {
  if (/^\s*(?:$|[?？!！.。~～…])/u.test(after)) return !isEnumeration(sentence);
  const isListed = before.endsWith("、") || /^\s*(?:、|,\s*(?:and\s+)?\p{L}+\s*(?:,|and\b|or\b))/u.test(after);
  return ADDRESSED.test(after) && !isListed && !isEnumeration(before);
}

/** Returns true for a list of names or things, such as "Tom, Ben, Ada". */
function isEnumeration(text: string): boolean {
  const parts = text.split(/[,，、]/u);
  return parts.length > 2 && parts.every((part) => part.trim().split(/\s+/u).length <= 2);
}
