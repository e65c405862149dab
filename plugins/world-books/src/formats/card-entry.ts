import { isDeepStrictEqual } from "node:util";
import type { ItemFailure } from "@parley/core";
import { readTerm } from "../activation/card-terms.ts";
import { type CardExtras, type EntryFields, entryFields, type Logic } from "../books/entry-fields.ts";
import { findInvalidPattern, readEntry } from "../books/entry-validation.ts";
import { entryResource, type StoredEntry } from "../books/schema.ts";
import { worldBooksTexts } from "../texts.ts";
import { type Dialect, detectDialect, toDialect } from "./dialects.ts";
import { fromPattern, isPlainText, isSlashed, toPattern } from "./regex-keys.ts";

/** The kinds of logic in the order of their numbers in files. */
const LOGICS: readonly Logic[] = ["and_any", "not_all", "not_any", "and_all"];
/** Fields that cards do not have; they are stored in `extensions.parley` if they have a value. */
const OWN_FIELDS: readonly (keyof EntryFields)[] = [
  "match_mode",
  "weight",
  "trigger_sources",
  "state_triggers",
  "cooldown_turns",
  "max_injections_per_session",
  "tags",
  "entry_type",
];
/** Values of the entry fields that a card does not have. */
const CARD_DEFAULTS: Partial<EntryFields> = { ...entryResource.defaults, trigger_sources: ["user", "history"] };
const UNREADABLE = /[\p{Cs}]|(?![\t\n\r])\p{Cc}/u;
const LIMITS = { priority: [-1_000, 1_000], insertion_order: [0, 100_000] } as const;
const MAX_KEYS = 100;

/** Converts an entry of a card's lorebook or of a World Info file; throws `bad_request` for an invalid one. */
export function fromCardEntry(
  raw: CardExtras,
  dialect: Dialect,
): { entry: StoredEntry; warnings: readonly ItemFailure[] } {
  const warnings: ItemFailure[] = [];
  const { content, ...card } = raw;
  const read = { ...readCardFields(card, dialect, warnings), content, card };
  const wrong = findInvalidPattern(read as EntryFields);
  if (wrong) {
    warnings.push(worldBooksTexts.message("regex_wrong", wrong));
    const { use_regex: _regex, ...rest } = read;
    // An entry with an invalid expression is imported disabled, until someone corrects it.
    return { entry: readEntry({ ...rest, enabled: false }, ""), warnings };
  }
  return { entry: readEntry(read, ""), warnings };
}

/** Converts an entry to a card's format: unchanged values are written as they were imported. */
export function toCardEntry(entry: EntryFields, dialect: Dialect, isV3: boolean): CardExtras {
  const known = toDialect(entry.card, dialect);
  const before =
    detectDialect(known) === undefined ? undefined : disableInvalidPatterns(readCardFields(known, dialect, []));
  const out: Record<string, unknown> = { ...known, content: entry.content };
  const own: Record<string, unknown> = {};
  const wanted = Object.keys(entryFields) as (keyof EntryFields)[];
  for (const name of wanted) {
    const isOwn = listOwnFields(dialect).includes(name);
    const base = before || isOwn ? { ...CARD_DEFAULTS, ...before }[name] : undefined;
    if (name === "content" || name === "card" || isDeepStrictEqual(base, entry[name])) continue;
    if (isOwn) own[name] = entry[name];
    else Object.assign(out, toCardField(name, entry, dialect, { out, isV3 }));
  }
  if (Object.keys(own).length > 0) {
    const extensions = Object(out.extensions) as CardExtras;
    out.extensions = { ...extensions, parley: { ...Object(extensions.parley), ...own } };
  }
  if (dialect === "book" && detectDialect(entry.card) !== dialect && !("extensions" in out)) out.extensions = {};
  if (isV3 && !("use_regex" in out)) out.use_regex = entry.use_regex;
  return out;
}

/** Returns the fields in the form in which `fromCardEntry` stores them, also if keys are no valid expressions. */
function disableInvalidPatterns(fields: Partial<EntryFields>): Partial<EntryFields> {
  return findInvalidPattern(fields as EntryFields) === undefined
    ? fields
    : { ...fields, use_regex: false, enabled: false };
}

function readCardFields(card: CardExtras, dialect: Dialect, warnings: ItemFailure[]): Partial<EntryFields> {
  const isBook = dialect === "book";
  const first = readKeys(isBook ? card.keys : card.key, warnings);
  const second = readKeys(isBook ? card.secondary_keys : card.keysecondary, warnings);
  const { isRegex, convert } = detectKeyKind(card, isBook, [...first, ...second]);
  const keywords = first.map(convert);
  const logic = LOGICS[Number(readTerm(card, ["selectiveLogic", "selective_logic"]) ?? 0)];
  const name = [...(isBook ? [card.name, card.comment] : [card.comment, card.name])].find(isNonBlank);
  const own = Object((Object(card.extensions) as CardExtras).parley) as CardExtras;
  const mine = Object.fromEntries(
    listOwnFields(dialect).flatMap((field) => (isValid(field, own[field]) ? [[field, own[field]]] : [])),
  );
  return {
    ...(typeof name === "string"
      ? { name: toEntryName(name) }
      : { name: toEntryName(keywords[0] ?? "Entry") || "Entry" }),
    keywords,
    secondary_keywords: second.map(convert),
    enabled: isBook ? card.enabled !== false : card.disable !== true,
    always_on: card.constant === true,
    priority: isBook ? readNumber("priority", card.priority, 0, warnings) : 0,
    insertion_order: readNumber("insertion_order", isBook ? card.insertion_order : card.order, 100, warnings),
    case_sensitive: readTerm(card, isBook ? ["case_sensitive"] : ["caseSensitive"]) === true,
    selective: card.selective === true,
    selective_logic: logic ?? "and_any",
    use_regex: isRegex,
    ...(CARD_DEFAULTS.trigger_sources && { trigger_sources: CARD_DEFAULTS.trigger_sources }),
    ...mine,
  };
}

function toCardField(
  name: keyof EntryFields,
  entry: EntryFields,
  dialect: Dialect,
  { out, isV3 }: { readonly out: CardExtras; readonly isV3: boolean },
): CardExtras {
  const isBook = dialect === "book";
  const keys = (list: readonly string[]) => (entry.use_regex && !isV3 ? list.map(fromPattern) : [...list]);
  switch (name) {
    case "keywords":
      return { [isBook ? "keys" : "key"]: keys(entry.keywords) };
    case "secondary_keywords":
      return { [isBook ? "secondary_keys" : "keysecondary"]: keys(entry.secondary_keywords) };
    case "use_regex":
      return {
        [isBook ? "keys" : "key"]: keys(entry.keywords),
        [isBook ? "secondary_keys" : "keysecondary"]: keys(entry.secondary_keywords),
        ...(isV3 && { use_regex: entry.use_regex }),
      };
    case "name":
      return isBook && (isNonBlank(out.name) || !isNonBlank(out.comment))
        ? { name: entry.name }
        : { comment: entry.name };
    case "enabled":
      return isBook ? { enabled: entry.enabled } : { disable: !entry.enabled };
    case "always_on":
      return { constant: entry.always_on };
    case "insertion_order":
      return { [isBook ? "insertion_order" : "order"]: entry.insertion_order };
    case "case_sensitive":
      return toCaseField(entry.case_sensitive, isBook, out);
    case "selective_logic":
      return toLogicField(LOGICS.indexOf(entry.selective_logic), isBook, out);
    default:
      return { [name]: entry[name] };
  }
}

function toCaseField(isSensitive: boolean, isBook: boolean, { extensions }: CardExtras): CardExtras {
  const known = Object(extensions) as CardExtras;
  const name = isBook ? "case_sensitive" : "caseSensitive";
  return { [name]: isSensitive, ...(name in known && { extensions: { ...known, [name]: isSensitive } }) };
}

function toLogicField(selectiveLogic: number, isBook: boolean, { extensions }: CardExtras): CardExtras {
  return isBook ? { extensions: { ...Object(extensions), selectiveLogic } } : { selectiveLogic };
}

/** Detects whether the keys are regular expressions, and how they are converted. */
function detectKeyKind(card: CardExtras, isBook: boolean, keys: readonly string[]) {
  const asked = isBook && typeof card.use_regex === "boolean" ? card.use_regex : undefined;
  const hasSlashed = asked !== false && keys.some(isSlashed);
  // Some programs set `use_regex` for every entry; only keys between slashes are expressions there.
  const { selectiveLogic, position } = Object(card.extensions) as CardExtras;
  const isSelective = asked === true && selectiveLogic === undefined && position === undefined;
  const isRegex = hasSlashed || (isSelective && !keys.every(isPlainText));
  return { isRegex, convert: (key: string) => (hasSlashed ? toPattern(key) : key) };
}

function readKeys(value: unknown, warnings: ItemFailure[]): readonly string[] {
  const list = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  const words = list
    .filter((key) => typeof key === "string" || typeof key === "number")
    .map((key) => String(key).trim())
    .filter((key) => key !== "");
  const keywords = words.filter((key) => [...key].length <= 200 && !UNREADABLE.test(key));
  if (keywords.length < words.length || keywords.length > MAX_KEYS) {
    warnings.push(worldBooksTexts.message("keys_left_out", { most: MAX_KEYS }));
  }
  return keywords.slice(0, MAX_KEYS);
}

function readNumber(name: keyof typeof LIMITS, value: unknown, initial: number, warnings: ItemFailure[]): number {
  if (typeof value !== "number" || !Number.isFinite(value)) return initial;
  const [least, most] = LIMITS[name];
  const clamped = Math.min(most, Math.max(least, Math.trunc(value)));
  if (clamped !== value) warnings.push(worldBooksTexts.message("counts_as", { name, value, clamped }));
  return clamped;
}

function isNonBlank(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** Returns the fields that the dialect does not have; World Info files have no priority either. */
function listOwnFields(dialect: Dialect): readonly (keyof EntryFields)[] {
  return dialect === "book" ? OWN_FIELDS : [...OWN_FIELDS, "priority"];
}

function isValid(field: keyof EntryFields, value: unknown): boolean {
  return value !== undefined && !entryFields[field].validate(value, { convert: false }).error;
}

function toEntryName(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]+/gu, " ").trim();
  return [...clean.normalize("NFC")].slice(0, 200).join("").trim();
}
