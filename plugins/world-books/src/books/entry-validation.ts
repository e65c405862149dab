import { AppError, type ItemFailure, toFieldProblems, toValidationError } from "@parley/core";
import { compileRegex, describeRegexError } from "@parley/core/text-match";
import type { RejectedItem } from "@parley/core/transfer";
import { listUnsupportedTerms, readCardTerms } from "../activation/card-terms.ts";
import { worldBooksTexts } from "../texts.ts";
import { parseDecorators } from "../world-info/decorators.ts";
import { listUnsupportedInfoTerms } from "../world-info/info-terms.ts";
import type { EntryFields } from "./entry-fields.ts";
import { type Behaviour, entryResource, type StoredEntry } from "./schema.ts";

/** Completes an entry with defaults; throws `bad_request` for an invalid regular expression. */
export function completeEntry(draft: Partial<EntryFields>, bookId: string): StoredEntry {
  const { book_id: _book, rank: _rank, ...given } = draft as Partial<StoredEntry>;
  const entry = { ...entryResource.defaults, ...given } as EntryFields;
  checkPatterns(entry);
  const { keywords, name, priority } = entry;
  return { ...entry, name: name || toEntryName(keywords[0]), book_id: bookId, rank: -priority };
}

/** Validates a draft of any origin; throws a `bad_request` that describes the problem. */
export function readEntry(given: unknown, bookId: string): StoredEntry {
  const { value, error } = entryResource.draft.validate(given, { errors: { label: false }, convert: true });
  if (error) throw toValidationError(toFieldProblems(error).slice(0, 1), "entry");
  return completeEntry(value, bookId);
}

/** Separates valid from invalid drafts. */
export function readEntries(drafts: readonly unknown[], bookId: string) {
  const read: StoredEntry[] = [];
  const wrong: RejectedItem[] = [];
  for (const [index, draft] of drafts.entries()) {
    try {
      read.push(readEntry(draft, bookId));
    } catch (error) {
      if (!AppError.is(error)) throw error;
      wrong.push({ index, error });
    }
  }
  return { read, wrong };
}

/** Creates the error of a list that is stored as a whole or not at all; it names the index of the entry. */
export function toEntryError({ index, error: { message, detail } }: RejectedItem): AppError {
  const place = `entries.${index}`;
  const field = detail?.field === undefined ? place : `${place}.${detail.field}`;
  return new AppError("bad_request", `${place}.${message}`, detail && { detail: { ...detail, field } });
}

function toEntryName(keyword: string | undefined): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name is shown, and a keyword may hold anything.
  const name = [...(keyword ?? "").replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Bidi_Control}\p{Cs}]/gu, "")];
  return name.slice(0, 200).join("").trim() || "Entry";
}

/** Returns the first keyword that is an invalid regular expression, and the problem; undefined for none. */
export function findInvalidPattern(entry: Pick<EntryFields, "use_regex" | "keywords" | "secondary_keywords">) {
  if (!entry.use_regex) return undefined;
  for (const field of ["keywords", "secondary_keywords"] as const) {
    for (const [index, keyword] of entry[field].entries()) {
      try {
        compileRegex(keyword);
      } catch (error) {
        return { field: `${field}.${index}`, problem: describeRegexError(error) };
      }
    }
  }
  return undefined;
}

function checkPatterns(entry: EntryFields): void {
  const wrong = findInvalidPattern(entry);
  if (!wrong) return;
  const { field, problem } = wrong;
  throw worldBooksTexts.error("bad_request", "no_regex", { problem }, { field });
}

/** State of an entry besides its fields. */
export interface WarningContext {
  /** True when its expressions took too long. */
  readonly isDisabled?: boolean;
  /** True when nothing runs expressions. */
  readonly isUnsearched?: boolean;
  /** Rules of its book. */
  readonly behaviour?: Behaviour | undefined;
}

/** Returns warnings about a valid entry. */
export function listWarnings(
  entry: EntryFields,
  { isDisabled = false, isUnsearched = false, behaviour = "native" }: WarningContext = {},
): readonly ItemFailure[] {
  const { keywords, secondary_keywords, selective, always_on, state_triggers, use_regex, card, content } = entry;
  const hasTrigger = keywords.length > 0 || Object.values(state_triggers).some((values) => values.length > 0);
  const short = use_regex ? [] : keywords.filter((keyword) => [...keyword.trim()].length === 1);
  return [
    ...(hasTrigger || always_on || isActivatedByDecorator(behaviour, content)
      ? []
      : [worldBooksTexts.message("never_triggers")]),
    ...(readCardTerms(card).probability === 0 ? [worldBooksTexts.message("never_by_chance")] : []),
    ...(secondary_keywords.length > 0 && !selective ? [worldBooksTexts.message("second_unheard")] : []),
    ...short.map((keyword) => worldBooksTexts.message("one_character", { keyword })),
    ...(isUnsearched && use_regex ? [worldBooksTexts.message("regex_off")] : []),
    ...(isDisabled ? [worldBooksTexts.message("regex_aside")] : []),
    ...(behaviour === "native" ? listUnsupportedTerms(card, content) : listUnsupportedInfoTerms(card, content)),
  ];
}

function isActivatedByDecorator(behaviour: Behaviour, content: string): boolean {
  const { activate, constant } = parseDecorators(content).decorators;
  return behaviour === "world_info" && (activate ?? constant) === true;
}
