import type { AppError, CardLorebook, ItemFailure } from "@parley/core";
import type { CharacterFields } from "@parley/core/characters";
import { detectFormat } from "@parley/core/transfer";
import { cardTexts } from "../../texts.ts";
import { type CardSpec, isNativeField, NATIVE_BY_FOREIGN, OWN_FIELDS, readData } from "./card-data.ts";
import { isObject, type Json } from "./card-json.ts";

/** A card as it was understood. */
export interface ReadCard {
  /** Fields of the card, with a name; missing ones are absent. */
  readonly fields: Partial<CharacterFields> & Pick<CharacterFields, "name">;
  readonly lorebook?: CardLorebook;
  readonly spec: CardSpec;
  readonly warnings: readonly ItemFailure[];
}

/** Record fields that are not part of the card. */
const RECORD_FIELDS = new Set(
  "id created_at updated_at revision builtin uploads preset_id favorite card_spec world_book_ids".split(" "),
);
const NATIVE_ONLY_FIELDS = [
  "first_message",
  "example_dialogues",
  "basic_info",
  "rules",
  "response_format",
  "initial_state",
  "system_prompt_mode",
  "card_extra",
];
/** The names that programs before V1 gave the fields of V1. */
const V1_NAMES: Readonly<Record<string, string>> = {
  char_name: "name",
  char_persona: "description",
  world_scenario: "scenario",
  char_greeting: "first_mes",
  example_dialogue: "mes_example",
};
/** Further fields that cards have at their top level. */
const CARD_FIELDS = new Set([
  ...RECORD_FIELDS,
  ...["creator", "creator_notes", "creatorcomment", "character_version", "character_book", "nickname", "chat"],
  ...["talkativeness", "fav", "create_date", "source", "group_only_greetings", "post_history_instructions"],
]);
const V1_ONLY_FIELDS = ["first_mes", "mes_example"];

/** Reads a card in any known format; throws `bad_request` when it is not a card or has no name. */
export function readCard(json: unknown): ReadCard {
  const { data, top, spec, warnings } = parseCard(json);
  const content = readData(data, top);
  const { name } = content.fields;
  if (name === undefined || name === "") throw cardTexts.error("bad_request", "nameless", {}, { field: "name" });
  const fields = { ...content.fields, name, card_spec: spec };
  return { ...content, fields, spec, warnings: [...warnings, ...content.warnings] };
}

interface ParsedCard {
  readonly data: Json;
  readonly top?: Json;
  readonly spec: CardSpec;
  readonly warnings: readonly ItemFailure[];
}

function parseCard(json: unknown): ParsedCard {
  if (!isObject(json)) throw notACardError(json);
  const { spec, spec_version, data, ...rest } = json;
  if (isObject(data) && (spec !== undefined || "name" in data)) {
    const isV3 = spec === "chara_card_v3" || (typeof spec_version === "string" && spec_version.startsWith("3"));
    const defaultVersion = isV3 ? "3.0" : "2.0";
    const top = { ...rest, ...(spec_version !== undefined && spec_version !== defaultVersion && { spec_version }) };
    const isKnown = spec === "chara_card_v2" || spec === "chara_card_v3";
    const warnings = isKnown ? [] : [cardTexts.message("spec_unknown")];
    return { data, top, spec: isV3 ? "v3" : "v2", warnings };
  }
  if (typeof json.char_name === "string") return { data: toV1Names(json), spec: "v1", warnings: [] };
  const native = toSnakeCase(json);
  if (!hasAnyOf(native, V1_ONLY_FIELDS) && isOtherFile(json, native)) throw notACardError(json);
  if (NATIVE_ONLY_FIELDS.some((name) => name in native)) return fromNative(native);
  if (V1_ONLY_FIELDS.some((name) => name in json)) return { data: json, spec: "v1", warnings: [] };
  if ("name" in native) return fromNative(native);
  throw notACardError(json);
}

/** Converts our own format to `data` of a card, so that one reader is enough. */
function fromNative(native: Json): ParsedCard {
  const { character_book, ...extra } = { ...Object(native.card_extra), ...native };
  const data: Record<string, unknown> = {};
  for (const [foreign, name] of NATIVE_BY_FOREIGN) if (name in native) data[foreign] = native[name];
  // A generated prompt is generated again.
  if (native.system_prompt_mode === "auto") delete data.system_prompt;
  const own = OWN_EXTENSION_FIELDS.map((name) => [name, native[name]] as const).filter(([, value]) => isSet(value));
  const others = Object.entries(extra).filter(([name]) => !isNativeField(name) && !RECORD_FIELDS.has(name));
  const extensions = { ...Object(native.extensions), ...(own.length > 0 && { parley: Object.fromEntries(own) }) };
  const books = native.world_book_ids;
  const isBound = Array.isArray(books) && books.length > 0;
  return {
    data: {
      ...data,
      extensions,
      ...(character_book !== undefined && { character_book }),
      ...Object.fromEntries(others),
    },
    spec: "native",
    warnings: isBound ? [cardTexts.message("books_left_out")] : [],
  };
}

const OWN_EXTENSION_FIELDS = [...OWN_FIELDS, "system_prompt_mode"] as const;

function toV1Names(json: Json): Json {
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [V1_NAMES[name] ?? name, value]));
}

/** True when a value is set: it is not empty, not `auto`, and not a file of another installation. */
function isSet(value: unknown): boolean {
  if (value === undefined || value === "" || value === "auto") return false;
  if (typeof value === "string") return !value.startsWith("/static/files/");
  return Object.keys(Object(value)).length > 0;
}

/** Cards alone may be written with names like `firstMessage`. */
function toSnakeCase(json: Json): Json {
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return [isNativeField(snake) && !(snake in json) ? snake : name, value];
    }),
  );
}

/**
 * True for a file of another kind. A name alone makes no card, and a description only without fields that cards never
 * have, because packages, tools and people have descriptions too.
 */
function isOtherFile(json: Json, native: Json): boolean {
  if (hasAnyOf(native, NATIVE_ONLY_FIELDS) && !("content" in json)) return false;
  if (["personality", "scenario"].some((name) => isText(native[name]))) return false;
  const isForeign = Object.keys(native).some((name) => !isNativeField(name) && !CARD_FIELDS.has(name));
  return isForeign || !isText(native.description);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function hasAnyOf(json: Json, names: readonly string[]): boolean {
  return names.some((name) => name in json);
}

function notACardError(json: unknown): AppError {
  const likeness = detectFormat(json);
  if (!likeness) return cardTexts.error("bad_request", "no_card");
  return cardTexts.error("bad_request", "no_card_but", { likeness });
}
