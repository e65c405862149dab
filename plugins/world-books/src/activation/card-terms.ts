import type { ItemFailure } from "@parley/core";
import { splitCommaList } from "@parley/core";
import type { CardExtras } from "../books/entry-fields.ts";
import { worldBooksTexts } from "../texts.ts";

/** Position of an entry in the prompt; a number counts the messages at the end that follow the entry. */
export type InsertionPlace = "lore" | "before_char" | "after_char" | number;

/** Conditions of activation in a card's entry that are not fields of ours. */
export interface CardTerms {
  /** Probability in percent; undefined for always. */
  readonly probability: number | undefined;
  /** Names of inclusion groups. */
  readonly groups: readonly string[];
  readonly groupWeight: number;
  readonly place: InsertionPlace;
  readonly role: "system" | "user" | "assistant";
  readonly wholeWords: boolean;
  readonly excludeRecursion: boolean;
  readonly preventRecursion: boolean;
}

const PLACE_BY_POSITION: ReadonlyMap<string, InsertionPlace> = new Map([
  ["0", "before_char"],
  ["before_char", "before_char"],
  ["1", "after_char"],
  ["after_char", "after_char"],
]);
const AT_DEPTH_POSITIONS = new Set(["4", "at_depth"]);
const DEFAULT_DEPTH = 4;
/** Maximum number of messages that may follow an entry. */
export const MAX_DEPTH = 100;
const DEFAULT_WEIGHT = 100;

const UNSUPPORTED_TERMS: readonly UnsupportedTerm[] = [
  ...["sticky", "delay"].map((name) => ({ names: [name], hasEffect: isAboveZero })),
  { names: ["cooldown"], hasEffect: isAboveZero },
  { names: ["scanDepth", "scan_depth"], hasEffect: isNumber },
  { names: ["delayUntilRecursion", "delay_until_recursion"], hasEffect: isSet },
  { names: ["useGroupScoring", "use_group_scoring"], hasEffect: isSet },
  { names: ["groupOverride", "group_override"], hasEffect: isSet },
  { names: ["ignoreBudget", "ignore_budget"], hasEffect: isSet },
  { names: ["vectorized"], hasEffect: isSet },
  { names: ["automationId", "automation_id"], hasEffect: isSet },
  { names: ["outletName", "outlet_name"], hasEffect: isSet },
  { names: ["triggers"], hasEffect: isSet },
  { names: ["characterFilter", "character_filter"], hasEffect: hasNames },
  ...[
    "matchPersonaDescription",
    "matchCharacterDescription",
    "matchCharacterPersonality",
    "matchCharacterDepthPrompt",
    "matchScenario",
    "matchCreatorNotes",
  ].map((name) => ({
    names: [name, name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)],
    hasEffect: isSet,
  })),
];

export function readCardTerms(card: CardExtras): CardTerms {
  const read = (...names: readonly string[]) => readTerm(card, names);
  const chance = toFiniteNumber(read("probability"));
  return {
    probability: chance === undefined || read("useProbability", "use_probability") === false ? undefined : chance,
    groups: splitCommaList(String(read("group") ?? "")),
    groupWeight: toFiniteNumber(read("groupWeight", "group_weight")) ?? DEFAULT_WEIGHT,
    place: readPlace(card),
    role: toRole(read("role")),
    wholeWords: read("matchWholeWords", "match_whole_words") === true,
    excludeRecursion: read("excludeRecursion", "exclude_recursion") === true,
    preventRecursion: read("preventRecursion", "prevent_recursion") === true,
  };
}

/** Returns a warning for each term of the card that has no effect in a book with our own rules. */
export function listUnsupportedTerms(card: CardExtras, content = ""): readonly ItemFailure[] {
  const position = readPosition(card);
  const isPlaced = position === undefined || PLACE_BY_POSITION.has(position) || AT_DEPTH_POSITIONS.has(position);
  return [
    ...(isPlaced ? [] : [worldBooksTexts.message("position_no_effect", { position })]),
    ...listTermsWithoutEffect(card, UNSUPPORTED_TERMS),
    ...(/^@@/.test(content.trimStart()) ? [worldBooksTexts.message("decorators")] : []),
  ];
}

/** A term by its names in both dialects; `hasEffect` is true for values that would have an effect. */
export interface UnsupportedTerm {
  readonly names: readonly string[];
  readonly hasEffect: (value: unknown) => boolean;
}

/** Returns a warning for each of these terms that the card contains. */
export function listTermsWithoutEffect(card: CardExtras, terms: readonly UnsupportedTerm[]): readonly ItemFailure[] {
  return terms
    .filter(({ names, hasEffect }) => hasEffect(readTerm(card, names)))
    .map(({ names: [name = ""] }) => worldBooksTexts.message("no_effect", { name }));
}

/** Returns the value of a card's key; a key in `extensions` takes precedence over a field of the card. */
export function readTerm(card: CardExtras, names: readonly string[]): unknown {
  const extensions = Object(card.extensions) as CardExtras;
  for (const from of [extensions, card]) {
    for (const name of names) if (Object.hasOwn(from, name) && from[name] !== null) return from[name];
  }
  return undefined;
}

function readPosition(card: CardExtras): string | undefined {
  const position = readTerm(card, ["position"]);
  return typeof position === "string" || typeof position === "number" ? String(position) : undefined;
}

function readPlace(card: CardExtras): InsertionPlace {
  const position = readPosition(card);
  if (position !== undefined && AT_DEPTH_POSITIONS.has(position)) {
    const depth = toFiniteNumber(readTerm(card, ["depth"])) ?? DEFAULT_DEPTH;
    return Math.min(Math.max(Math.trunc(depth), 0), MAX_DEPTH);
  }
  return PLACE_BY_POSITION.get(position ?? "") ?? "lore";
}

function toRole(role: unknown): CardTerms["role"] {
  if (role === 1 || role === "user") return "user";
  return role === 2 || role === "assistant" ? "assistant" : "system";
}

export function toFiniteNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function isNumber(value: unknown): boolean {
  return toFiniteNumber(value) !== undefined;
}

function isAboveZero(value: unknown): boolean {
  return (toFiniteNumber(value) ?? 0) > 0;
}

/** Returns true for a value that switches something on, or names something. */
export function isSet(value: unknown): boolean {
  return (
    value === true || isAboveZero(value) || ((typeof value === "string" || Array.isArray(value)) && value.length > 0)
  );
}

function hasNames(value: unknown): boolean {
  const { names = [], tags = [] } = Object(value) as { readonly names?: unknown; readonly tags?: unknown };
  return isSet(names) || isSet(tags);
}
