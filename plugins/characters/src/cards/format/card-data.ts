import { isDeepStrictEqual } from "node:util";
import type { CardLorebook, ItemFailure } from "@parley/core";
import { type CharacterFields, characterFields } from "@parley/core/characters";
import { cardTexts } from "../../texts.ts";
import { isObject, type Json } from "./card-json.ts";
import { type FieldName, readField } from "./field-values.ts";

export type CardSpec = CharacterFields["card_spec"];

/** The content of a card: character fields, lorebook and warnings. */
export interface CardContent {
  readonly fields: Partial<CharacterFields>;
  readonly lorebook?: CardLorebook;
  readonly warnings: readonly ItemFailure[];
}

type FieldPair = readonly [foreign: string, native: FieldName];

/** The fields of `data` in V2 and V3, in the order of their specifications. */
const STANDARD_FIELDS: readonly FieldPair[] = [
  ["name", "name"],
  ["description", "description"],
  ["personality", "personality"],
  ["scenario", "scenario"],
  ["first_mes", "first_message"],
  ["mes_example", "example_dialogues"],
  ["creator_notes", "creator_notes"],
  ["system_prompt", "system_prompt"],
  ["post_history_instructions", "post_history_instructions"],
  ["alternate_greetings", "alternate_greetings"],
  ["tags", "tags"],
  ["creator", "creator"],
  ["character_version", "character_version"],
];
export const NATIVE_BY_FOREIGN: ReadonlyMap<string, FieldName> = new Map(STANDARD_FIELDS);
/** Our own fields, under `extensions.parley`. */
export const OWN_FIELDS = ["basic_info", "rules", "response_format", "initial_state", "avatar", "portrait"] as const;
const OWN_EXTENSION = "parley";
/** Key in `card_extra` for content that character fields cannot hold. */
const ORIGINALS_KEY = "$card";

interface PreservedCard {
  /** Names in the order of the card. */
  readonly keys?: readonly string[];
  /** Values of `data` that a character's fields cannot hold as they were. */
  readonly originals?: Json;
  /** Content beside `data`. */
  readonly top?: Json;
}

/** Reads `data` of a card. Content without a field is preserved: `writeData` restores it. */
export function readData(data: Json, top: Json = {}): CardContent {
  const warnings: ItemFailure[] = [];
  const fields: Record<string, unknown> = {};
  const readInto = (foreign: string, native: FieldName, given: unknown) => {
    const { value, problem } = readField(native, given) ?? {};
    if (problem !== undefined) warnings.push(cardTexts.message("of_field", { field: foreign, problem }));
    fields[native] = value;
  };
  for (const [foreign, native] of STANDARD_FIELDS) if (foreign in data) readInto(foreign, native, data[foreign]);
  const { [OWN_EXTENSION]: own, ...extensions } = isObject(data.extensions) ? data.extensions : ({} as Json);
  const ownValues = isObject(own) ? own : {};
  for (const name of OWN_FIELDS) if (name in ownValues) readInto(name, name, ownValues[name]);
  if (typeof ownValues.description === "string") readInto("description", "description", ownValues.description);
  fields.system_prompt_mode = fields.system_prompt || ownValues.system_prompt_mode === "manual" ? "manual" : "auto";
  const lorebook = isObject(data.character_book) ? data.character_book : undefined;
  const unknownFields = Object.entries(data).filter(([name]) => isUnknownField(name));
  const read = { ...fields, extensions, card_extra: Object.fromEntries(unknownFields) } as Partial<CharacterFields>;
  const preserved = toPreserved(data, read, lorebook, top);
  return {
    fields: { ...read, card_extra: { ...read.card_extra, ...(preserved && { [ORIGINALS_KEY]: preserved }) } },
    ...(lorebook && { lorebook }),
    warnings,
  };
}

const HANDLED_FIELDS = new Set(["extensions", "character_book", ORIGINALS_KEY]);

/** True when a name of `data` is preserved unchanged. */
function isUnknownField(name: string): boolean {
  return !NATIVE_BY_FOREIGN.has(name) && !HANDLED_FIELDS.has(name);
}

function toPreserved(
  data: Json,
  read: Partial<CharacterFields>,
  lorebook: CardLorebook | undefined,
  top: Json,
): PreservedCard | undefined {
  const written = toStandardData(read, lorebook);
  const changedValues = Object.entries(data).filter(([name, value]) => !isDeepStrictEqual(written[name], value));
  const keys = Object.keys(data);
  const isInOrder = isDeepStrictEqual(
    Object.keys(written).filter((name) => name in data),
    keys,
  );
  const preserved: PreservedCard = {
    ...(!isInOrder && { keys }),
    ...(changedValues.length > 0 && { originals: Object.fromEntries(changedValues) }),
    ...(Object.keys(top).length > 0 && { top }),
  };
  return Object.keys(preserved).length > 0 ? preserved : undefined;
}

export interface WrittenCard {
  readonly data: Json;
  /** Content beside `data` in the original card. */
  readonly top: Json;
}

/** Writes `data` of a card. Content from `readData` is unchanged unless it was edited since. */
export function writeData(fields: Partial<CharacterFields>, lorebook: CardLorebook | undefined): WrittenCard {
  const preserved = (
    isObject(fields.card_extra?.[ORIGINALS_KEY]) ? fields.card_extra[ORIGINALS_KEY] : {}
  ) as PreservedCard;
  const data: Record<string, unknown> = { ...toStandardData(fields, lorebook) };
  if (isObject(preserved.originals)) {
    const before = toStandardData({ ...fields, ...readOriginals(preserved.originals) }, lorebook);
    for (const [name, original] of Object.entries(preserved.originals)) {
      if (isDeepStrictEqual(data[name], before[name])) data[name] = original;
    }
  }
  const order = Array.isArray(preserved.keys) ? preserved.keys.filter((name) => name in data) : [];
  const names = [...new Set([...order, ...Object.keys(data)])];
  return {
    data: Object.fromEntries(names.map((name) => [name, data[name]])),
    top: isObject(preserved.top) ? preserved.top : {},
  };
}

/** Returns the fields with their original values, which the card's format could not hold. */
function readOriginals(originals: Json): Partial<CharacterFields> {
  const fields: Record<string, unknown> = {};
  for (const [foreign, native] of STANDARD_FIELDS) {
    if (foreign in originals) fields[native] = readField(native, originals[foreign])?.value;
  }
  if ((fields.system_prompt ?? "") !== "") fields.system_prompt_mode = "manual";
  if (!("extensions" in originals)) return fields;
  const { [OWN_EXTENSION]: own, ...extensions } = isObject(originals.extensions) ? originals.extensions : ({} as Json);
  const ours = isObject(own) ? own : {};
  const block = OWN_FIELDS.map((name) => [name, name in ours ? readField(name, ours[name])?.value : undefined]);
  return { ...fields, ...Object.fromEntries(block), extensions };
}

/** Returns the fields in the form of a V2 card; a generated system prompt is omitted. */
function toStandardData(fields: Partial<CharacterFields>, lorebook: CardLorebook | undefined): Json {
  const isManual = fields.system_prompt_mode !== "auto" && (fields.system_prompt ?? "") !== "";
  const own = toOwnExtension(fields);
  const fallbackDescription = toFallbackDescription(fields);
  const standard = STANDARD_FIELDS.map(
    ([foreign, native]) => [foreign, fields[native] ?? toEmptyValue(native)] as const,
  );
  const extra = fields.card_extra ?? {};
  const book = lorebook ?? extra.character_book;
  return {
    ...Object.fromEntries(standard),
    ...(!isManual && { system_prompt: "" }),
    ...(fallbackDescription !== "" && { description: fallbackDescription }),
    extensions: { ...fields.extensions, ...(Object.keys(own).length > 0 && { [OWN_EXTENSION]: own }) },
    ...(book !== undefined && { character_book: book }),
    ...Object.fromEntries(Object.entries(extra).filter(([name]) => isUnknownField(name))),
  };
}

function toEmptyValue(native: FieldName): unknown {
  return native === "tags" || native === "alternate_greetings" ? [] : "";
}

function toOwnExtension(fields: Partial<CharacterFields>): Json {
  const own: Record<string, unknown> = {};
  for (const name of OWN_FIELDS) {
    const value = fields[name];
    const isPicture = name === "avatar" || name === "portrait";
    const isSet = isPicture ? String(value ?? "").startsWith("https://") : !isEmpty(value);
    if (isSet) own[name] = value;
  }
  if (toFallbackDescription(fields) !== "") own.description = "";
  if (fields.system_prompt_mode === "manual" && (fields.system_prompt ?? "") === "") own.system_prompt_mode = "manual";
  return own;
}

/** Returns a description for other programs, built from our own fields; empty if the card has one. */
function toFallbackDescription({
  description = "",
  basic_info = "",
  rules = [],
  response_format = "",
}: Partial<CharacterFields>) {
  if (description !== "") return "";
  const numbered = rules.map((rule, index) => `${index + 1}. ${rule}`).join("\n");
  return [basic_info, numbered, response_format].filter((part) => part !== "").join("\n\n");
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || Object.keys(Object(value)).length === 0;
}

/** True for the name of any field that characters have. */
export function isNativeField(name: string): name is FieldName {
  return Object.hasOwn(characterFields, name);
}
