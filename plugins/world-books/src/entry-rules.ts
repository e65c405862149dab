import { AppError } from "@parley/core";
import { regexOf } from "@parley/core/text-match";
import { termsOf, unheardTerms } from "./card-terms.ts";
import type { EntryFields } from "./entry-fields.ts";
import { entryRows, type StoredEntry } from "./schema.ts";

/** An entry with everything that was not said; `bad_request` for a keyword that is no regular expression. */
export function wholeEntry(draft: Partial<EntryFields>, bookId: string): StoredEntry {
  const { book_id: _book, rank: _rank, ...given } = draft as Partial<StoredEntry>;
  const entry = { ...entryRows.defaults, ...given } as EntryFields;
  checkPatterns(entry);
  const { keywords, name, priority } = entry;
  return { ...entry, name: name || nameOf(keywords[0]), book_id: bookId, rank: -priority };
}

/** A draft as it came over any way; `bad_request` says what is wrong with it. */
export function readEntry(given: unknown, bookId: string): StoredEntry {
  const { value, error } = entryRows.draft.validate(given, { errors: { label: false }, convert: true });
  const [{ path = [], message = "" } = {}] = error?.details ?? [];
  if (error) throw new AppError("bad_request", `${path.join(".") || "entry"}: ${message}`);
  return wholeEntry(value, bookId);
}

function nameOf(keyword: string | undefined): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name is shown, and a keyword may hold anything.
  const name = [...(keyword ?? "").replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Bidi_Control}\p{Cs}]/gu, "")];
  return name.slice(0, 200).join("").trim() || "Entry";
}

/** The parser's word for the first keyword that is no regular expression; undefined: all are, or none has to be. */
export function patternProblem(entry: Pick<EntryFields, "use_regex" | "keywords" | "secondary_keywords">) {
  if (!entry.use_regex) return undefined;
  for (const field of ["keywords", "secondary_keywords"] as const) {
    for (const [index, keyword] of entry[field].entries()) {
      try {
        regexOf(keyword);
      } catch (error) {
        return `${field}.${index}: ${(error as Error).message}`;
      }
    }
  }
  return undefined;
}

function checkPatterns(entry: EntryFields): void {
  const problem = patternProblem(entry);
  if (problem !== undefined) throw new AppError("bad_request", problem);
}

const UNSEARCHED = "its regular expressions are not looked for: the plugin that searches by them (filter) is off";

/** What people should know of an entry that is saved all the same. */
export function warningsOf(
  entry: EntryFields,
  { isAside = false, isUnsearched = false }: { readonly isAside?: boolean; readonly isUnsearched?: boolean } = {},
): readonly string[] {
  const { keywords, secondary_keywords, selective, always_on, state_triggers, use_regex, card, content } = entry;
  const hasTrigger = keywords.length > 0 || Object.values(state_triggers).some((values) => values.length > 0);
  const short = use_regex ? [] : keywords.filter((keyword) => [...keyword.trim()].length === 1);
  return [
    ...(hasTrigger || always_on ? [] : ["can never trigger: it has no keywords, no scene and is not always on"]),
    ...(termsOf(card).probability === 0 ? ["can never trigger: its probability is 0"] : []),
    ...(secondary_keywords.length > 0 && !selective ? ["the second keywords do not count: selective is off"] : []),
    ...short.map((keyword) => `the keyword '${keyword}' has one character and comes up in almost every text`),
    ...(isUnsearched && use_regex ? [UNSEARCHED] : []),
    ...(isAside ? ["a regular expression took too long and is set aside until the entry is edited"] : []),
    ...unheardTerms(card, content),
  ];
}
