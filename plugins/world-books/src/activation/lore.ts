import type { Book, EntryRecord } from "../books/book.ts";
import { ENTRY_TYPES, type EntryType, type Logic, type Source } from "../books/entry-fields.ts";
import { type CardTerms, readCardTerms } from "./card-terms.ts";

/** Maximum characters of one content. */
const MAX_CONTENT_CHARS = 2_000;

/** An entry as needed in a turn. */
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
  /** Undefined: second keywords do not count. */
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
  /** Injected text, with its length in characters. */
  readonly text: string;
  readonly size: number;
  /** Length of the whole content. */
  readonly length: number;
}

/** A book as needed in a turn. */
export interface LoreBook {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Ids and names of characters; empty: it counts everywhere. */
  readonly characters: ReadonlySet<string>;
  /** Messages of the history that are read. */
  readonly scanDepth: number | undefined;
  /** Budget in characters; undefined: the budgets of the classes. */
  readonly budget: number | undefined;
  readonly isRecursive: boolean;
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
    keywords: entry.keywords,
    secondary: selective ? secondary : [],
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
  };
}

export function toLoreBook({ id, name, enabled, character_ids, card }: Book): LoreBook {
  const tokens = toWholeNumber(card.token_budget);
  return {
    id,
    name,
    enabled,
    characters: new Set(character_ids),
    scanDepth: toWholeNumber(card.scan_depth),
    budget: tokens === undefined ? undefined : tokens * CHARS_PER_TOKEN,
    isRecursive: card.recursive_scanning === true,
  };
}

/** The text, or its beginning with `…`, no longer than `most` characters. */
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
