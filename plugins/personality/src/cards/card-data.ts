import { isDeepStrictEqual } from "node:util";
import { type CardLorebook, type CharacterFields, characterFields, type ItemFailure } from "@parley/core";
import { cardWarning } from "../said-warnings.ts";
import { isObject, type Json } from "./card-json.ts";
import { type FieldName, readField } from "./field-values.ts";

export type CardSpec = CharacterFields["card_spec"];

/** What a card says: fields of a character, and what only cards know. */
export interface CardContent {
  readonly fields: Partial<CharacterFields>;
  readonly lorebook?: CardLorebook;
  readonly warnings: readonly ItemFailure[];
}

type FieldPair = readonly [foreign: string, native: FieldName];

/** `data` of V2 and V3, in the order of their descriptions. */
const STANDARD: readonly FieldPair[] = [
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
export const NATIVE_OF: ReadonlyMap<string, FieldName> = new Map(STANDARD);
/** What only we have: under `extensions.parley`. */
export const OWN_FIELDS = ["basic_info", "rules", "response_format", "initial_state", "avatar", "portrait"] as const;
const OWN = "parley";
/** What cannot be told by the fields of a character, in its `card_extra`. */
const KEPT = "$card";

interface Kept {
  /** Names in the order of the card. */
  readonly keys?: readonly string[];
  /** Values of `data` that a character's fields cannot hold as they were. */
  readonly originals?: Json;
  /** What stood beside `data`. */
  readonly top?: Json;
}

/** Reads `data` of a card. What no field has a place for is kept: `writeData` puts it back. */
export function readData(data: Json, top: Json = {}): CardContent {
  const warnings: ItemFailure[] = [];
  const fields: Record<string, unknown> = {};
  const take = (foreign: string, native: FieldName, given: unknown) => {
    const { value, problem } = readField(native, given) ?? {};
    if (problem !== undefined) warnings.push(cardWarning("of_field", { field: foreign, problem }));
    fields[native] = value;
  };
  for (const [foreign, native] of STANDARD) if (foreign in data) take(foreign, native, data[foreign]);
  const { [OWN]: own, ...extensions } = isObject(data.extensions) ? data.extensions : ({} as Json);
  const ours = isObject(own) ? own : {};
  for (const name of OWN_FIELDS) if (name in ours) take(name, name, ours[name]);
  if (typeof ours.description === "string") take("description", "description", ours.description);
  fields.system_prompt_mode = fields.system_prompt || ours.system_prompt_mode === "manual" ? "manual" : "auto";
  const lorebook = isObject(data.character_book) ? data.character_book : undefined;
  const others = Object.entries(data).filter(([name]) => isExtra(name));
  const read = { ...fields, extensions, card_extra: Object.fromEntries(others) } as Partial<CharacterFields>;
  const kept = keptOf(data, read, lorebook, top);
  return {
    fields: { ...read, card_extra: { ...read.card_extra, ...(kept && { [KEPT]: kept }) } },
    ...(lorebook && { lorebook }),
    warnings,
  };
}

const PLACED = new Set(["extensions", "character_book", KEPT]);

/** Whether a name of `data` is kept as it is. */
function isExtra(name: string): boolean {
  return !NATIVE_OF.has(name) && !PLACED.has(name);
}

function keptOf(
  data: Json,
  read: Partial<CharacterFields>,
  lorebook: CardLorebook | undefined,
  top: Json,
): Kept | undefined {
  const written = writtenBy(read, lorebook);
  const lost = Object.entries(data).filter(([name, value]) => !isDeepStrictEqual(written[name], value));
  const keys = Object.keys(data);
  const isInOrder = isDeepStrictEqual(
    Object.keys(written).filter((name) => name in data),
    keys,
  );
  const kept: Kept = {
    ...(!isInOrder && { keys }),
    ...(lost.length > 0 && { originals: Object.fromEntries(lost) }),
    ...(Object.keys(top).length > 0 && { top }),
  };
  return Object.keys(kept).length > 0 ? kept : undefined;
}

export interface WrittenCard {
  readonly data: Json;
  /** What stood beside `data` in the card that it came from. */
  readonly top: Json;
}

/** `data` of a card: what was read by `readData` comes out as it came in, except where it was changed since. */
export function writeData(fields: Partial<CharacterFields>, lorebook: CardLorebook | undefined): WrittenCard {
  const kept = (isObject(fields.card_extra?.[KEPT]) ? fields.card_extra[KEPT] : {}) as Kept;
  const data: Record<string, unknown> = { ...writtenBy(fields, lorebook) };
  if (isObject(kept.originals)) {
    const before = writtenBy({ ...fields, ...readOriginals(kept.originals) }, lorebook);
    for (const [name, original] of Object.entries(kept.originals)) {
      if (isDeepStrictEqual(data[name], before[name])) data[name] = original;
    }
  }
  const order = Array.isArray(kept.keys) ? kept.keys.filter((name) => name in data) : [];
  const names = [...new Set([...order, ...Object.keys(data)])];
  return {
    data: Object.fromEntries(names.map((name) => [name, data[name]])),
    top: isObject(kept.top) ? kept.top : {},
  };
}

/** The fields as they were made of values that they could not hold. */
function readOriginals(originals: Json): Partial<CharacterFields> {
  const fields: Record<string, unknown> = {};
  for (const [foreign, native] of STANDARD) {
    if (foreign in originals) fields[native] = readField(native, originals[foreign])?.value;
  }
  if ((fields.system_prompt ?? "") !== "") fields.system_prompt_mode = "manual";
  if (!("extensions" in originals)) return fields;
  const { [OWN]: own, ...extensions } = isObject(originals.extensions) ? originals.extensions : ({} as Json);
  const ours = isObject(own) ? own : {};
  const block = OWN_FIELDS.map((name) => [name, name in ours ? readField(name, ours[name])?.value : undefined]);
  return { ...fields, ...Object.fromEntries(block), extensions };
}

/** The fields as a card of V2 has them; a system prompt that is made of the others is none. */
function writtenBy(fields: Partial<CharacterFields>, lorebook: CardLorebook | undefined): Json {
  const isManual = fields.system_prompt_mode !== "auto" && (fields.system_prompt ?? "") !== "";
  const own = ownBlock(fields);
  const told = toldElsewhere(fields);
  const standard = STANDARD.map(([foreign, native]) => [foreign, fields[native] ?? emptyOf(native)] as const);
  const extra = fields.card_extra ?? {};
  const book = lorebook ?? extra.character_book;
  return {
    ...Object.fromEntries(standard),
    ...(!isManual && { system_prompt: "" }),
    ...(told !== "" && { description: told }),
    extensions: { ...fields.extensions, ...(Object.keys(own).length > 0 && { [OWN]: own }) },
    ...(book !== undefined && { character_book: book }),
    ...Object.fromEntries(Object.entries(extra).filter(([name]) => isExtra(name))),
  };
}

function emptyOf(native: FieldName): unknown {
  return native === "tags" || native === "alternate_greetings" ? [] : "";
}

function ownBlock(fields: Partial<CharacterFields>): Json {
  const own: Record<string, unknown> = {};
  for (const name of OWN_FIELDS) {
    const value = fields[name];
    const isPicture = name === "avatar" || name === "portrait";
    const isSaid = isPicture ? String(value ?? "").startsWith("https://") : !isEmpty(value);
    if (isSaid) own[name] = value;
  }
  if (toldElsewhere(fields) !== "") own.description = "";
  if (fields.system_prompt_mode === "manual" && (fields.system_prompt ?? "") === "") own.system_prompt_mode = "manual";
  return own;
}

/** Other readers know a description only: where there is none it says what is told in fields of our own. */
function toldElsewhere({
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

/** Every name that a character has of its own. */
export function isNativeField(name: string): name is FieldName {
  return Object.hasOwn(characterFields, name);
}
