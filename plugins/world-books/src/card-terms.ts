import type { ItemFailure } from "@parley/core";
import { commaSeparated } from "@parley/core";
import type { Kept } from "./entry-fields.ts";
import { bookWarning } from "./said-warnings.ts";

/** Where an entry stands in the prompt; a number: before as many of the last messages. */
export type Place = "lore" | "before_char" | "after_char" | number;

/** What an entry of a card asks for besides the fields. */
export interface CardTerms {
  /** Of 100; undefined: always. */
  readonly probability: number | undefined;
  /** Names of inclusion groups. */
  readonly groups: readonly string[];
  readonly groupWeight: number;
  readonly place: Place;
  readonly role: "system" | "user" | "assistant";
  readonly wholeWords: boolean;
  readonly excludeRecursion: boolean;
  readonly preventRecursion: boolean;
}

const PLACES: Readonly<Record<string, Place>> = {
  "0": "before_char",
  before_char: "before_char",
  "1": "after_char",
  after_char: "after_char",
};
const AT_DEPTH = new Set(["4", "at_depth"]);
const DEFAULT_DEPTH = 4;
const MOST_DEPTH = 100;
const DEFAULT_WEIGHT = 100;

/** What this kind of file asks for and nobody acts on, by its name in both dialects; `when`: values that ask for nothing. */
const UNHEARD: readonly { readonly names: readonly string[]; readonly asks: (value: unknown) => boolean }[] = [
  ...["sticky", "delay"].map((name) => ({ names: [name], asks: isAboveZero })),
  { names: ["cooldown"], asks: isAboveZero },
  { names: ["scanDepth", "scan_depth"], asks: isNumber },
  { names: ["delayUntilRecursion", "delay_until_recursion"], asks: isAsked },
  { names: ["useGroupScoring", "use_group_scoring"], asks: isAsked },
  { names: ["groupOverride", "group_override"], asks: isAsked },
  { names: ["ignoreBudget", "ignore_budget"], asks: isAsked },
  { names: ["vectorized"], asks: isAsked },
  { names: ["automationId", "automation_id"], asks: isAsked },
  { names: ["outletName", "outlet_name"], asks: isAsked },
  { names: ["triggers"], asks: isAsked },
  { names: ["characterFilter", "character_filter"], asks: hasNames },
  ...[
    "matchPersonaDescription",
    "matchCharacterDescription",
    "matchCharacterPersonality",
    "matchCharacterDepthPrompt",
    "matchScenario",
    "matchCreatorNotes",
  ].map((name) => ({
    names: [name, name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)],
    asks: isAsked,
  })),
];

export function termsOf(card: Kept): CardTerms {
  const read = (...names: readonly string[]) => readTerm(card, names);
  const chance = numberOf(read("probability"));
  return {
    probability: chance === undefined || read("useProbability", "use_probability") === false ? undefined : chance,
    groups: commaSeparated(String(read("group") ?? "")),
    groupWeight: numberOf(read("groupWeight", "group_weight")) ?? DEFAULT_WEIGHT,
    place: placeOf(card),
    role: roleOf(read("role")),
    wholeWords: read("matchWholeWords", "match_whole_words") === true,
    excludeRecursion: read("excludeRecursion", "exclude_recursion") === true,
    preventRecursion: read("preventRecursion", "prevent_recursion") === true,
  };
}

/** What the card asks for and is not acted on, each a sentence. */
export function unheardTerms(card: Kept, content = ""): readonly ItemFailure[] {
  const position = positionOf(card);
  const isPlaced = position === undefined || position in PLACES || AT_DEPTH.has(position);
  const unheard = UNHEARD.filter(({ names: known, asks }) => asks(readTerm(card, known)));
  return [
    ...(isPlaced ? [] : [bookWarning("position_unheard", { position })]),
    ...unheard.map(({ names: [name = ""] }) => bookWarning("unheard", { name })),
    ...(/^@@/.test(content.trimStart()) ? [bookWarning("decorators")] : []),
  ];
}

/** The value of a card's own key: `extensions` count over what stands beside them. */
export function readTerm(card: Kept, names: readonly string[]): unknown {
  const extensions = Object(card.extensions) as Kept;
  for (const from of [extensions, card]) {
    for (const name of names) if (Object.hasOwn(from, name) && from[name] !== null) return from[name];
  }
  return undefined;
}

function positionOf(card: Kept): string | undefined {
  const position = readTerm(card, ["position"]);
  return typeof position === "string" || typeof position === "number" ? String(position) : undefined;
}

function placeOf(card: Kept): Place {
  const position = positionOf(card);
  if (position !== undefined && AT_DEPTH.has(position)) {
    const depth = numberOf(readTerm(card, ["depth"])) ?? DEFAULT_DEPTH;
    return Math.min(Math.max(Math.trunc(depth), 0), MOST_DEPTH);
  }
  return (position !== undefined && PLACES[position]) || "lore";
}

function roleOf(role: unknown): CardTerms["role"] {
  if (role === 1 || role === "user") return "user";
  return role === 2 || role === "assistant" ? "assistant" : "system";
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function isNumber(value: unknown): boolean {
  return numberOf(value) !== undefined;
}

function isAboveZero(value: unknown): boolean {
  return (numberOf(value) ?? 0) > 0;
}

function isAsked(value: unknown): boolean {
  return (
    value === true || isAboveZero(value) || ((typeof value === "string" || Array.isArray(value)) && value.length > 0)
  );
}

function hasNames(value: unknown): boolean {
  const { names = [], tags = [] } = Object(value) as { readonly names?: unknown; readonly tags?: unknown };
  return isAsked(names) || isAsked(tags);
}
