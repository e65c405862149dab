import { type CharacterFields, characterFields, inBothLanguages, type Localized, readState } from "@parley/core";
import { isObject } from "./card-json.ts";

export type FieldName = keyof CharacterFields;

/** A value as a character can have it; `problem`: what had to be changed for that. */
export interface FieldValue {
  readonly value: unknown;
  readonly problem?: Localized;
}

type Reading = (given: unknown) => FieldValue;

const LONG = 20_000;
const SHORT = 200;
const fine = (value: unknown): FieldValue => ({ value });
const NO_TEXT: Localized = { en: "is not text and was left out", zh: "不是文字，已略去" };
const NO_ADDRESS: Localized = { en: "is not an https address and was left out", zh: "不是 https 地址，已略去" };
const NO_OBJECT: Localized = { en: "is not an object and was left out", zh: "不是对象，已略去" };
const UNREADABLE_TAKEN_OUT: Localized = {
  en: "contained unreadable characters, which were removed",
  zh: "含有不可读的字符，已略去这些字符",
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const UNREADABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** How each field is read of a card, whatever an author or a program put there. */
const READINGS: { readonly [Name in FieldName]?: Reading } = {
  name: (given) => text(given, 100, true),
  description: long,
  avatar: picture("avatar"),
  portrait: picture("portrait"),
  tags: (given) => list(typeof given === "string" ? given.split(",") : given, { count: 32, each: 40, isWords: true }),
  basic_info: long,
  personality: long,
  scenario: long,
  example_dialogues: long,
  response_format: long,
  first_message: long,
  alternate_greetings: (given) => list(given, { count: 50, each: LONG }),
  rules: (given) => list(given, { count: 100, each: 1_000 }),
  initial_state: state,
  system_prompt: (given) => text(given, 100_000),
  system_prompt_mode: (given) => (given === "manual" ? fine("manual") : fine("auto")),
  post_history_instructions: long,
  creator: (given) => text(given, SHORT),
  character_version: (given) => text(given, SHORT),
  creator_notes: long,
};

/** Reads the value of a field; undefined where a card has no say in it. */
export function readField(name: FieldName, given: unknown): FieldValue | undefined {
  return READINGS[name]?.(given);
}

function long(given: unknown): FieldValue {
  return text(given, LONG);
}

function text(given: unknown, most: number, isName = false): FieldValue {
  if (given === undefined || given === null) return fine("");
  const isText = typeof given === "string";
  const lines = Array.isArray(given) && given.every((line) => typeof line === "string");
  if (!isText && !lines && typeof given !== "number" && typeof given !== "boolean")
    return { value: "", problem: NO_TEXT };
  const written = Array.isArray(given) ? given.join("\n") : String(given);
  const { value, problem } = readable(written, most, isName);
  return isText || problem !== undefined ? { value, ...(problem !== undefined && { problem }) } : { value };
}

function readable(
  given: string,
  most: number,
  isName: boolean,
): { readonly value: string; readonly problem?: Localized } {
  const whole = given.toWellFormed().replaceAll(UNREADABLE, "");
  const clean = isName
    ? whole
        .normalize("NFC")
        .replaceAll(/[\s\p{C}]+/gu, " ")
        .trim()
    : whole;
  const isTooLong = clean.length > most && [...clean].length > most;
  if (isTooLong) {
    const problem = { en: `was cut at ${most} characters`, zh: `超过 ${most} 个字符，已截断` };
    return { value: [...clean].slice(0, most).join("").trimEnd(), problem };
  }
  return whole === given ? { value: clean } : { value: clean, problem: UNREADABLE_TAKEN_OUT };
}

interface ListLimits {
  readonly count: number;
  readonly each: number;
  /** Short words, each once. */
  readonly isWords?: boolean;
}

function list(given: unknown, { count, each, isWords = false }: ListLimits): FieldValue {
  if (given === undefined || given === null) return fine([]);
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  const problems: Localized[] = [];
  const found: string[] = [];
  const known = new Set<string>();
  for (const item of items) {
    const { value, problem } = text(item, each, isWords);
    if (problem !== undefined) problems.push({ en: `an entry ${problem.en}`, zh: `其中一项${problem.zh}` });
    const key = String(value).toLowerCase();
    if (value === "" || (isWords && known.has(key))) continue;
    known.add(key);
    if (found.length < count) found.push(value as string);
    else problems.push({ en: `only the first ${count} count`, zh: `只有前 ${count} 项有效` });
  }
  return problems.length === 0 ? fine(found) : { value: found, problem: joined(problems) };
}

function picture(name: "avatar" | "portrait"): Reading {
  return (given) => {
    const isAddress = typeof given === "string" && given.startsWith("https://");
    const isUsable = isAddress && characterFields[name].validate(given).error === undefined;
    return isUsable || given === "" ? fine(given) : { value: "", problem: NO_ADDRESS };
  };
}

function state(given: unknown): FieldValue {
  if (!isObject(given)) return { value: {}, problem: NO_OBJECT };
  const { values, problems } = readState(given);
  if (problems.length === 0) return fine(values);
  const short = (text: string) => [...text].slice(0, 80).join("");
  const shown = problems.slice(0, 3).map(({ error, detail }) => inBothLanguages(error, detail));
  const { en, zh } = joined(shown.map((said) => ({ en: short(said.en), zh: short(said.zh) })));
  return { value: values, problem: { en: `has values that were left out (${en})`, zh: `部分值已略去（${zh}）` } };
}

/** Each once. */
function joined(problems: readonly Localized[]): Localized {
  const each = (language: keyof Localized) => [...new Set(problems.map((problem) => problem[language]))];
  return { en: each("en").join("; "), zh: each("zh").join("；") };
}
