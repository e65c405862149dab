import { type ItemFailure, splitCommaList } from "@parley/core";
import {
  type InsertionPlace,
  isSet,
  listTermsWithoutEffect,
  MAX_DEPTH,
  readCardTerms,
  readTerm,
  toFiniteNumber,
} from "../activation/card-terms.ts";
import type { CardExtras } from "../books/entry-fields.ts";
import { worldBooksTexts } from "../texts.ts";
import { type Decorators, parseDecorators } from "./decorators.ts";

/** A text about the character or the person in which an entry is searched besides the conversation. */
export type MatchSource =
  | "persona_description"
  | "character_description"
  | "character_personality"
  | "character_depth_prompt"
  | "scenario"
  | "creator_notes";

/** The characters with which an entry may be activated, or, with `isExclude`, may not. */
export interface CharacterFilter {
  readonly names: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
  readonly isExclude: boolean;
}

/** Terms of an entry under the rules of World Info. Times are counted in messages; 0 has no effect. */
export interface InfoTerms {
  /** The content without decorators. */
  readonly content: string;
  /** `outlet`: the entry is not inserted by itself. */
  readonly place: InsertionPlace | "outlet";
  readonly role: "system" | "user" | "assistant";
  /** Number of newest messages in which keywords are searched; undefined for that of the book. */
  readonly scanDepth: number | undefined;
  readonly wholeWords: boolean;
  readonly sticky: number;
  readonly cooldown: number;
  readonly delay: number;
  /** Level of recursion from which the entry may be activated; 0 for the first scan. */
  readonly recursionLevel: number;
  /** True when the highest order wins in its groups instead of a draw. */
  readonly isPrioritized: boolean;
  /** True when only the entries with the most matched keywords remain in its groups. */
  readonly isScored: boolean;
  readonly ignoresBudget: boolean;
  readonly characters: CharacterFilter | undefined;
  /** Kinds of generation for which it may be activated; empty for all. */
  readonly triggers: readonly string[];
  readonly sources: readonly MatchSource[];
  readonly decorators: Decorators;
}

const MATCH_SOURCES: readonly (readonly [source: MatchSource, file: string, book: string])[] = [
  ["persona_description", "matchPersonaDescription", "match_persona_description"],
  ["character_description", "matchCharacterDescription", "match_character_description"],
  ["character_personality", "matchCharacterPersonality", "match_character_personality"],
  ["character_depth_prompt", "matchCharacterDepthPrompt", "match_character_depth_prompt"],
  ["scenario", "matchScenario", "match_scenario"],
  ["creator_notes", "matchCreatorNotes", "match_creator_notes"],
];
/** Depth of the author's note, whose place positions 2 and 3 are. */
const NOTE_DEPTH = 4;
const PLACES: ReadonlyMap<string, InfoTerms["place"]> = new Map<string, InfoTerms["place"]>([
  ["0", "before_char"],
  ["before_char", "before_char"],
  ["1", "after_char"],
  ["after_char", "after_char"],
  ["2", NOTE_DEPTH],
  ["3", NOTE_DEPTH],
  // The examples of a character are the end of its text.
  ["5", "after_char"],
  ["6", "after_char"],
  ["7", "outlet"],
]);
const PLACE_OF_DECORATOR = {
  before_desc: "before_char",
  after_desc: "after_char",
  personality: "after_char",
  scenario: "after_char",
} as const;
const DEFAULT_TERMS: InfoTerms = createTerms({}, "");

const UNSUPPORTED_TERMS = [
  { names: ["vectorized"], hasEffect: isSet },
  { names: ["automationId", "automation_id"], hasEffect: isSet },
];

/** Returns a warning for each term of an entry that has no effect under the rules of World Info. */
export function listUnsupportedInfoTerms(card: CardExtras, content: string): readonly ItemFailure[] {
  const { ignored } = parseDecorators(content);
  const isOutlet = readInfoTerms(card, content).place === "outlet";
  return [
    ...(isOutlet ? [worldBooksTexts.message("outlet")] : []),
    ...listTermsWithoutEffect(card, UNSUPPORTED_TERMS),
    ...ignored.map((name) => worldBooksTexts.message("no_effect", { name: `@@${name}` })),
  ];
}

/** Reads what an entry asks for from its card and the decorators of its content. */
export function readInfoTerms(card: CardExtras, content: string): InfoTerms {
  const isPlain = Object.keys(card).length === 0 && !content.includes("@@");
  return isPlain ? { ...DEFAULT_TERMS, content } : createTerms(card, content);
}

function createTerms(card: CardExtras, content: string): InfoTerms {
  const { text, decorators } = parseDecorators(content);
  const read = (...names: readonly string[]) => readTerm(card, names);
  const readCount = (...names: readonly string[]) => Math.max(0, Math.trunc(toFiniteNumber(read(...names)) ?? 0));
  const depth = toFiniteNumber(read("scanDepth", "scan_depth"));
  return {
    content: text,
    ...readPlace(card, decorators),
    scanDepth: decorators.scan_depth ?? (depth === undefined ? undefined : Math.max(0, Math.trunc(depth))),
    wholeWords: read("matchWholeWords", "match_whole_words") !== false,
    sticky: readCount("sticky"),
    cooldown: readCount("cooldown"),
    delay: readCount("delay"),
    recursionLevel: readLevel(read("delayUntilRecursion", "delay_until_recursion")),
    isPrioritized: read("groupOverride", "group_override") === true,
    isScored: read("useGroupScoring", "use_group_scoring") === true,
    ignoresBudget: read("ignoreBudget", "ignore_budget") === true,
    characters: readCharacterFilter(read("characterFilter", "character_filter")),
    triggers: readWords(read("triggers")),
    sources: MATCH_SOURCES.flatMap(([source, ...names]) => (read(...names) === true ? [source] : [])),
    decorators,
  };
}

function readPlace(card: CardExtras, { position, depth, role }: Decorators): Pick<InfoTerms, "place" | "role"> {
  const terms = readCardTerms(card);
  const given = readTerm(card, ["position"]);
  const own = typeof terms.place === "number" ? terms.place : (PLACES.get(String(given)) ?? terms.place);
  const decorated = position === undefined ? depth : PLACE_OF_DECORATOR[position];
  const place = typeof decorated === "number" ? Math.min(decorated, MAX_DEPTH) : decorated;
  return { place: place ?? own, role: role ?? terms.role };
}

function readLevel(value: unknown): number {
  if (value === true) return 1;
  return Math.max(0, Math.trunc(toFiniteNumber(value) ?? 0));
}

function readCharacterFilter(value: unknown): CharacterFilter | undefined {
  const { names, tags, isExclude } = Object(value) as Readonly<Record<string, unknown>>;
  const filter = { names: new Set(readWords(names)), tags: new Set(readWords(tags)), isExclude: isExclude === true };
  return filter.names.size + filter.tags.size === 0 ? undefined : filter;
}

function readWords(value: unknown): readonly string[] {
  if (typeof value === "string") return splitCommaList(value);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string" && one !== "") : [];
}
