import {
  AppError,
  type ItemFailure,
  localizeMessage,
  toFieldProblems,
  toItemFailure,
  toValidationError,
} from "@parley/core";
import { isObject } from "@parley/core/json";
import { detectFormat } from "@parley/core/transfer";
import type { CardExtras } from "../books/entry-fields.ts";
import { readEntry } from "../books/entry-validation.ts";
import { BEHAVIOURS, type Behaviour, type BookFields, books, type StoredEntry } from "../books/schema.ts";
import { worldBooksTexts } from "../texts.ts";
import { fromCardEntry } from "./card-entry.ts";
import type { Dialect } from "./dialects.ts";

/** An entry that could not be imported, by its index, and the reason. */
export interface FailedEntry extends ItemFailure {
  readonly index: number;
}

/** An imported book: its valid parts, and the problems of the other parts. */
export interface IncomingBook {
  readonly fields: BookFields;
  readonly entries: readonly StoredEntry[];
  readonly errors: readonly FailedEntry[];
  readonly warnings: readonly ItemFailure[];
}

const DEFAULT_NAME = "World book";
const MAX_WARNINGS = 100;
const MAX_ENTRIES_READ = 20_000;

/** Reads a file in any known format; throws `bad_request` for another format, or when no entry is valid. */
export function readPackage(given: unknown, defaultName = DEFAULT_NAME): IncomingBook {
  const read = readShape(given, defaultName);
  const [first] = read.errors;
  if (read.entries.length > 0 || !first) return read;
  if (isForeign(given)) throw createUnknownFormatError(given);
  const reason = localizeMessage(first.error, first.detail);
  throw worldBooksTexts.error("bad_request", "no_entry_read", { count: read.errors.length, reason }, { field: "file" });
}

/** Keys that occur only in files of other programs with entries of their own format. */
const FOREIGN_KEYS = ["lorebookVersion", "storyContainerVersion"];

function isForeign(given: unknown): boolean {
  return (
    isObject(given) && (FOREIGN_KEYS.some((name) => name in given) || given.kind === "memory" || given.type === "risu")
  );
}

function readShape(given: unknown, defaultName: string): IncomingBook {
  if (!isObject(given) || isForeign(given)) throw createUnknownFormatError(given);
  const { type, world_book: book, spec, data, character_book: inside } = given;
  if (type === "world_book" && isObject(book)) return readNative(book, defaultName);
  if (spec === "lorebook_v3" && isObject(data)) return readLorebook(data, defaultName);
  if (isObject(inside)) return readLorebook(inside, defaultName);
  if (typeof spec === "string" && isObject(data) && isObject(data.character_book)) {
    return readLorebook(data.character_book, toBookName(data.name, defaultName));
  }
  const { entries } = given;
  if (Array.isArray(entries)) {
    const isNative = !("extensions" in given) && entries.every((one) => !isObject(one) || !("keys" in one));
    return isNative ? readNative(given, defaultName) : readLorebook(given, defaultName);
  }
  if (isObject(entries)) return readFile(given, defaultName);
  throw createUnknownFormatError(given);
}

export function readLorebook(book: CardExtras, defaultName: string): IncomingBook {
  if (isObject(book.entries)) return readFile(book, defaultName);
  if (!Array.isArray(book.entries))
    throw worldBooksTexts.error("bad_request", "must_be_list", {}, { field: "entries" });
  return readCards(book, book.entries, "book", defaultName);
}

/** Reads a book whose entries are an object. Some cards contain their lorebook in this form. */
function readFile(book: CardExtras, defaultName: string): IncomingBook {
  const entries = Object.values(book.entries as CardExtras);
  const isCard = entries.some((entry) => isObject(entry) && "keys" in entry);
  return readCards(book, entries, isCard ? "book" : "file", defaultName);
}

function readCards(book: CardExtras, given: readonly unknown[], dialect: Dialect, defaultName: string): IncomingBook {
  const { entries: _entries, ...card } = book;
  const warnings: ItemFailure[] = [];
  const read = readEach(given, (raw, index) => {
    if (!isObject(raw)) throw worldBooksTexts.error("bad_request", "must_be_object");
    const made = fromCardEntry(raw, dialect);
    const { name } = made.entry;
    for (const { error, detail } of made.warnings) {
      warnings.push(worldBooksTexts.message("of_entry", { index, name, warning: localizeMessage(error, detail) }));
    }
    return made.entry;
  });
  const fields = {
    ...books.defaults,
    ...readBookFields(card, defaultName),
    behaviour: readBehaviour(card),
    card: toStorableCard(card, warnings),
  };
  return { ...read, fields: fields as BookFields, warnings: limitWarnings(warnings) };
}

/** Reads the book's fields from a card's lorebook. */
export function readBookFields(card: CardExtras, defaultName: string): Pick<BookFields, "name" | "description"> {
  const description = typeof card.description === "string" ? card.description.replaceAll(UNREADABLE, "") : "";
  return { name: toBookName(card.name, defaultName), description: [...description].slice(0, 4_000).join("") };
}

/** Returns the rules that a card's lorebook or a World Info file is written for: ours only where the file says so. */
export function readBehaviour({ extensions }: CardExtras): Behaviour {
  const { parley } = Object(extensions) as CardExtras;
  const { behaviour } = Object(parley) as CardExtras;
  return BEHAVIOURS.find((one) => one === behaviour) ?? "world_info";
}

function readNative(book: CardExtras, defaultName: string): IncomingBook {
  const { entries = [], name, description, character_ids, enabled, behaviour, card } = book;
  if (!Array.isArray(entries)) throw worldBooksTexts.error("bad_request", "must_be_list", {}, { field: "entries" });
  const given = Object.entries({ description, character_ids, enabled, behaviour, card }).filter(
    ([, value]) => value !== undefined,
  );
  const draft = { ...Object.fromEntries(given), name: toBookName(name, defaultName) };
  const { value, error } = books.draft.validate(draft, { errors: { label: false } });
  if (error) throw toValidationError(toFieldProblems(error).slice(0, 1), "book");
  return { ...readEach(entries, readNativeEntry), fields: value as BookFields, warnings: [] };
}

const READ_ONLY_FIELDS = ["id", "book_id", "warnings", "warning_details", "created_at", "updated_at", "revision"];

function readNativeEntry(raw: unknown): StoredEntry {
  if (!isObject(raw)) throw worldBooksTexts.error("bad_request", "must_be_object");
  return readEntry(Object.fromEntries(Object.entries(raw).filter(([name]) => !READ_ONLY_FIELDS.includes(name))), "");
}

function readEach(given: readonly unknown[], read: (raw: unknown, index: number) => StoredEntry) {
  if (given.length > MAX_ENTRIES_READ) throw worldBooksTexts.error("conflict", "many_entries");
  const entries: StoredEntry[] = [];
  const errors: FailedEntry[] = [];
  for (const [index, raw] of given.entries()) {
    try {
      entries.push(read(raw, index));
    } catch (error) {
      if (!AppError.is(error)) throw error;
      errors.push({ index, ...toItemFailure(error) });
    }
  }
  return { entries, errors };
}

const UNREADABLE = /[\p{Cs}]|(?![\t\n\r])\p{Cc}/gu;

function toBookName(name: unknown, defaultName: string): string {
  const clean = typeof name === "string" ? name.replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]+/gu, " ") : "";
  return [...clean.trim().normalize("NFC")].slice(0, 100).join("").trim() || defaultName;
}

/** Returns the card without a copy of the original file if it would be too large otherwise. */
function toStorableCard(card: CardExtras, warnings: ItemFailure[]): CardExtras {
  const fits = (one: CardExtras) => !books.patch.validate({ card: one }).error;
  if (fits(card)) return card;
  const { originalData: _original, ...rest } = card;
  if (!fits(rest)) throw worldBooksTexts.error("bad_request", "card_large", {}, { field: "card" });
  warnings.push(worldBooksTexts.message("original_left_out"));
  return rest;
}

function limitWarnings(warnings: readonly ItemFailure[]): readonly ItemFailure[] {
  if (warnings.length <= MAX_WARNINGS) return warnings;
  return [
    ...warnings.slice(0, MAX_WARNINGS),
    worldBooksTexts.message("many_more", { count: warnings.length - MAX_WARNINGS }),
  ];
}

function createUnknownFormatError(given: unknown): AppError {
  const likeness = detectFormat(given);
  if (!likeness) return worldBooksTexts.error("bad_request", "no_book", {}, { field: "file" });
  return worldBooksTexts.error("bad_request", "no_book_but", { likeness }, { field: "file" });
}
