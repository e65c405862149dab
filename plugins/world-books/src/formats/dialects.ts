import type { CardExtras } from "../books/entry-fields.ts";

/** The two formats of entries: in the lorebook of a character card, and in a World Info file. */
export type Dialect = "book" | "file";

/** Names of the terms (options of an entry that are not fields of ours) in World Info files, and in the `extensions` of a card's entry. */
const TERM_NAMES: readonly (readonly [file: string, book: string])[] = [
  ["position", "position"],
  ["probability", "probability"],
  ["useProbability", "useProbability"],
  ["depth", "depth"],
  ["role", "role"],
  ["group", "group"],
  ["selectiveLogic", "selectiveLogic"],
  ["vectorized", "vectorized"],
  ["triggers", "triggers"],
  ["sticky", "sticky"],
  ["cooldown", "cooldown"],
  ["delay", "delay"],
  ["groupOverride", "group_override"],
  ["groupWeight", "group_weight"],
  ["excludeRecursion", "exclude_recursion"],
  ["preventRecursion", "prevent_recursion"],
  ["delayUntilRecursion", "delay_until_recursion"],
  ["scanDepth", "scan_depth"],
  ["matchWholeWords", "match_whole_words"],
  ["useGroupScoring", "use_group_scoring"],
  ["automationId", "automation_id"],
  ["ignoreBudget", "ignore_budget"],
  ["outletName", "outlet_name"],
  ["displayIndex", "display_index"],
  ["matchPersonaDescription", "match_persona_description"],
  ["matchCharacterDescription", "match_character_description"],
  ["matchCharacterPersonality", "match_character_personality"],
  ["matchCharacterDepthPrompt", "match_character_depth_prompt"],
  ["matchScenario", "match_scenario"],
  ["matchCreatorNotes", "match_creator_notes"],
];
/** Keys that both dialects have. When the dialect changes, they are left out, and written from our fields instead. */
const SHARED_KEYS: readonly (readonly [file: string, book: string])[] = [
  ["key", "keys"],
  ["keysecondary", "secondary_keys"],
  ["comment", "comment"],
  ["order", "insertion_order"],
  ["constant", "constant"],
  ["selective", "selective"],
  ["caseSensitive", "case_sensitive"],
];
const POSITION_NUMBERS: Readonly<Record<string, number>> = { before_char: 0, after_char: 1 };

/** Detects the dialect of imported keys; undefined if it is neither. */
export function detectDialect(card: CardExtras): Dialect | undefined {
  if ("keys" in card) return "book";
  return "key" in card ? "file" : undefined;
}

/** Converts the imported keys of an entry to a dialect: its terms and unknown keys, without those that are fields of ours. */
export function toDialect(card: CardExtras, to: Dialect): CardExtras {
  const from = detectDialect(card);
  if (from === to) return card;
  return to === "book" ? toBookDialect(card) : toFileDialect(card);
}

function toBookDialect(card: CardExtras): CardExtras {
  const { extensions, uid: _uid, disable: _disable, name: _name, ...rest } = card;
  const out: Record<string, unknown> = { ...Object(extensions) };
  for (const [file, book] of TERM_NAMES) if (file in rest && !(book in out)) out[book] = rest[file];
  const known = new Set([...TERM_NAMES, ...SHARED_KEYS].map(([file]) => file));
  for (const [name, value] of Object.entries(rest)) if (!known.has(name)) out[name] = value;
  const { position } = out;
  const place = position === 0 || position === 1 ? { position: position === 0 ? "before_char" : "after_char" } : {};
  return { ...place, ...(Object.keys(out).length > 0 && { extensions: out }) };
}

function toFileDialect(card: CardExtras): CardExtras {
  const { extensions, ...top } = card;
  const out: Record<string, unknown> = {};
  const left: Record<string, unknown> = { ...Object(extensions) };
  for (const [file, book] of TERM_NAMES) {
    const from = book in left ? left : top;
    if (!(book in from) && !(file in from)) continue;
    const value = book in from ? from[book] : from[file];
    out[file] = file === "position" && typeof value === "string" ? (POSITION_NUMBERS[value] ?? value) : value;
    delete left[book];
  }
  const known = new Set([
    ...SHARED_KEYS.map(([, book]) => book),
    ...TERM_NAMES.flat(),
    "name",
    "enabled",
    "use_regex",
    "id",
    "priority",
  ]);
  for (const [name, value] of Object.entries(top)) if (!known.has(name)) out[name] = value;
  if (Object.keys(left).length > 0) out.extensions = left;
  return out;
}
