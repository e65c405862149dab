import { joinLocalized, type Localized, localizeMessage } from "@parley/core";
import { type CharacterFields, characterFields, readState } from "@parley/core/characters";
import { cardTexts } from "../../texts.ts";
import { isObject } from "./card-json.ts";

export type FieldName = keyof CharacterFields;

/** A value in the form that a character can have; `problem` describes what was changed for that. */
export interface FieldValue {
  readonly value: unknown;
  readonly problem?: Localized;
}

type FieldReader = (given: unknown) => FieldValue;

const MAX_LONG_CHARS = 20_000;
const MAX_SHORT_CHARS = 200;
const accepted = (value: unknown): FieldValue => ({ value });
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
const UNREADABLE_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Readers of card fields, tolerant of any value. */
const FIELD_READERS: { readonly [Name in FieldName]?: FieldReader } = {
  name: (given) => readText(given, 100, true),
  description: readLongText,
  avatar: readPictureUrl("avatar"),
  portrait: readPictureUrl("portrait"),
  tags: (given) =>
    readList(typeof given === "string" ? given.split(",") : given, { count: 32, each: 40, isWordList: true }),
  basic_info: readLongText,
  personality: readLongText,
  scenario: readLongText,
  example_dialogues: readLongText,
  response_format: readLongText,
  first_message: readLongText,
  alternate_greetings: (given) => readList(given, { count: 50, each: MAX_LONG_CHARS }),
  rules: (given) => readList(given, { count: 100, each: 1_000 }),
  initial_state: readInitialState,
  system_prompt: (given) => readText(given, 100_000),
  system_prompt_mode: (given) => (given === "manual" ? accepted("manual") : accepted("auto")),
  post_history_instructions: readLongText,
  creator: (given) => readText(given, MAX_SHORT_CHARS),
  character_version: (given) => readText(given, MAX_SHORT_CHARS),
  creator_notes: readLongText,
};

/** Reads the value of a field; undefined for a field that cards do not set. */
export function readField(name: FieldName, given: unknown): FieldValue | undefined {
  return FIELD_READERS[name]?.(given);
}

function readLongText(given: unknown): FieldValue {
  return readText(given, MAX_LONG_CHARS);
}

function readText(given: unknown, most: number, isName = false): FieldValue {
  if (given === undefined || given === null) return accepted("");
  const isText = typeof given === "string";
  const lines = Array.isArray(given) && given.every((line) => typeof line === "string");
  if (!isText && !lines && typeof given !== "number" && typeof given !== "boolean")
    return { value: "", problem: cardTexts.localized("value_no_text") };
  const joinedText = Array.isArray(given) ? given.join("\n") : String(given);
  const { value, problem } = cleanText(joinedText, most, isName);
  return isText || problem !== undefined ? { value, ...(problem !== undefined && { problem }) } : { value };
}

function cleanText(
  given: string,
  most: number,
  isName: boolean,
): { readonly value: string; readonly problem?: Localized } {
  const withoutUnreadable = given.toWellFormed().replaceAll(UNREADABLE_CHARACTERS, "");
  const clean = isName
    ? withoutUnreadable
        .normalize("NFC")
        .replaceAll(/[\s\p{C}]+/gu, " ")
        .trim()
    : withoutUnreadable;
  const isTooLong = clean.length > most && [...clean].length > most;
  if (isTooLong) {
    const problem = cardTexts.localized("value_cut", { most });
    return { value: [...clean].slice(0, most).join("").trimEnd(), problem };
  }
  return withoutUnreadable === given
    ? { value: clean }
    : { value: clean, problem: cardTexts.localized("value_unreadable") };
}

interface ListLimits {
  readonly count: number;
  readonly each: number;
  /** True for short words that must be unique. */
  readonly isWordList?: boolean;
}

function readList(given: unknown, { count, each, isWordList = false }: ListLimits): FieldValue {
  if (given === undefined || given === null) return accepted([]);
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  const problems: Localized[] = [];
  const found: string[] = [];
  const known = new Set<string>();
  for (const item of items) {
    const { value, problem } = readText(item, each, isWordList);
    if (problem !== undefined) problems.push(cardTexts.localized("value_entry", { problem }));
    const key = String(value).toLowerCase();
    if (value === "" || (isWordList && known.has(key))) continue;
    known.add(key);
    if (found.length < count) found.push(value as string);
    else problems.push(cardTexts.localized("value_first", { count }));
  }
  return problems.length === 0 ? accepted(found) : { value: found, problem: joinProblems(problems) };
}

function readPictureUrl(name: "avatar" | "portrait"): FieldReader {
  return (given) => {
    const isAddress = typeof given === "string" && given.startsWith("https://");
    const isUsable = isAddress && characterFields[name].validate(given).error === undefined;
    return isUsable || given === "" ? accepted(given) : { value: "", problem: cardTexts.localized("value_no_address") };
  };
}

function readInitialState(given: unknown): FieldValue {
  if (!isObject(given)) return { value: {}, problem: cardTexts.localized("value_no_object") };
  const { values, problems } = readState(given);
  if (problems.length === 0) return accepted(values);
  const shown = problems.slice(0, 3).map(({ error, detail }) => localizeMessage(error, detail));
  return { value: values, problem: cardTexts.localized("value_state", { problems: joinProblems(shown) }) };
}

/** Joins problems, each once. */
function joinProblems(problems: readonly Localized[]): Localized {
  return joinLocalized([...new Map(problems.map((problem) => [problem.en, problem])).values()], "sentences");
}
