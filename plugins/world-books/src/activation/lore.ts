import type { Book, EntryRecord } from "../books/book.ts";
import { ENTRY_TYPES, type EntryType, type Logic, type Source } from "../books/entry-fields.ts";
import type { Behaviour } from "../books/schema.ts";
import { type InfoTerms, readInfoTerms } from "../world-info/info-terms.ts";
import { type CardTerms, readCardTerms } from "./card-terms.ts";

/** Maximum length of one content in characters. */
const MAX_CONTENT_CHARS = 2_000;

/** An entry in the form that a turn needs. */
export interface Lore extends CardTerms {
  readonly id: string;
  readonly bookId: string;
  readonly name: string;
  readonly type: EntryType;
  readonly keywords: readonly string[];
  readonly secondary: readonly string[];
  readonly needsAll: boolean;
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
  /** Logic of the secondary keywords; undefined when these have no effect. */
  readonly logic: Logic | undefined;
  readonly sources: ReadonlySet<Source>;
  readonly alwaysOn: boolean;
  readonly scene: readonly (readonly [key: string, values: ReadonlySet<string>])[];
  readonly priority: number;
  readonly weight: number;
  readonly rank: number;
  readonly order: number;
  readonly cooldown: number;
  readonly maxInjections: number;
  /** The text that is inserted, and its length in characters. */
  readonly text: string;
  readonly size: number;
  /** Length of the whole content in characters. */
  readonly length: number;
  /** Terms of the entry in a book with the rules of World Info. */
  readonly info: InfoTerms;
}

/** A book in the form that a turn needs. */
export interface LoreBook {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Ids and names of characters; when empty, the book applies to every conversation. */
  readonly characters: ReadonlySet<string>;
  /** Number of messages that are scanned; undefined for the default. */
  readonly scanDepth: number | undefined;
  /** Budget in characters; undefined for the budgets of the entry classes. */
  readonly budget: number | undefined;
  readonly isRecursive: boolean;
  /** Rules by which its entries are activated. */
  readonly behaviour: Behaviour;
  /** Budget in tokens under the rules of World Info; undefined when the book has none of its own. */
  readonly tokenBudget: number | undefined;
}

/** The character or preset with which a conversation takes place. */
export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly bookIds: ReadonlySet<string>;
}

const CHARS_PER_TOKEN = 4;

export function toLore(entry: EntryRecord): Lore {
  const { secondary_keywords: secondary, selective, state_triggers, trigger_sources } = entry;
  const scene = Object.entries(state_triggers).map(([key, values]) => [key, new Set(values)] as const);
  const sources = new Set<Source>(trigger_sources);
  if (scene.length > 0) sources.add("scene_state");
  const length = countCharacters(entry.content);
  const text = truncate(entry.content, MAX_CONTENT_CHARS);
  return {
    ...readCardTerms(entry.card),
    id: entry.id,
    bookId: entry.book_id,
    name: entry.name,
    type: entry.entry_type,
    keywords: entry.keywords.map(compose),
    secondary: selective ? secondary.map(compose) : [],
    needsAll: entry.match_mode === "all",
    isRegex: entry.use_regex,
    caseSensitive: entry.case_sensitive,
    logic: selective && secondary.length > 0 ? entry.selective_logic : undefined,
    sources,
    alwaysOn: entry.always_on,
    scene,
    priority: entry.priority,
    weight: entry.weight,
    rank: ENTRY_TYPES.indexOf(entry.entry_type),
    order: entry.insertion_order,
    cooldown: entry.cooldown_turns,
    maxInjections: entry.max_injections_per_session,
    text,
    size: Math.min(length, MAX_CONTENT_CHARS),
    length,
    info: readInfoTerms(entry.card, entry.content),
  };
}

/** Returns a keyword with composed letters, in which the texts are searched. */
function compose(keyword: string): string {
  return keyword.normalize("NFC");
}

export function toLoreBook({ id, name, enabled, character_ids, card, behaviour }: Book): LoreBook {
  const tokens = toWholeNumber(card.token_budget);
  return {
    id,
    name,
    enabled,
    characters: new Set(character_ids),
    scanDepth: toWholeNumber(card.scan_depth),
    budget: tokens === undefined ? undefined : tokens * CHARS_PER_TOKEN,
    // In programs with World Info entries activate each other unless the book says no.
    isRecursive: behaviour === "world_info" ? card.recursive_scanning !== false : card.recursive_scanning === true,
    behaviour,
    tokenBudget: tokens,
  };
}

/** Returns the text if it is no longer than `most` characters, else its beginning with `…`. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, Math.max(0, most - 1)).join("")}…`;
}

export function countCharacters(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit < 0xdc00) length -= 1;
  }
  return length;
}

function toWholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.trunc(value) : undefined;
}
