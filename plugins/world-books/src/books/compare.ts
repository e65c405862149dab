import { isDeepStrictEqual } from "node:util";
import { formatWarnings } from "@parley/core";
import { answerFields, itemFailureFields, shape, warningFields } from "@parley/core/http";
import { detectDialect } from "../formats/dialects.ts";
import { readPackage } from "../formats/read-package.ts";
import type { EntryRecord } from "./book.ts";
import type { Books } from "./books.ts";
import { type EntryFields, entryFields } from "./entry-fields.ts";
import { entryResource, type StoredEntry } from "./schema.ts";

const FIELD_NAMES = Object.keys(entryFields) as (keyof EntryFields)[];
/** Keys of ids in the cards of entries, which stay the same when name or text changes. */
const CARD_ID_KEYS = ["uid", "id"];

const { count, id, listOf, text, texts } = answerFields;
/** The differences between a book and a newer file. */
export const compareData = shape({
  added: listOf(entryResource.draft),
  changed: listOf(shape({ entry_id: id, name: text, fields: texts, patch: entryResource.patch })),
  removed: listOf(shape({ entry_id: id, name: text })),
  same: count,
  errors: listOf(shape({ index: count, ...itemFailureFields }, "BatchError")),
  ...warningFields,
});

/** Compares a newer file with a book; entries are paired by the card's id, else by name, else by content. */
export async function compareBook(books: Pick<Books, "get" | "entriesOf">, bookId: string, given: unknown) {
  await books.get(bookId);
  const { entries, errors, warnings } = readPackage(given);
  const left = new Set(await books.entriesOf(bookId));
  const pairs = new Map<StoredEntry, EntryRecord>();
  for (const keyOf of [getCardId, ({ name }: EntryFields) => name, getContentWithoutId]) {
    const there = new Map([...left].toReversed().map((entry) => [keyOf(entry), entry] as const));
    for (const entry of entries) {
      const key = keyOf(entry);
      const old = key === undefined || pairs.has(entry) ? undefined : there.get(key);
      if (!old || !left.delete(old)) continue;
      pairs.set(entry, old);
      there.delete(key);
    }
  }
  const changed = [...pairs].flatMap(([entry, old]) => {
    // Other data in the card is not compared if it has another format.
    const isAlike = detectDialect(entry.card) === detectDialect(old.card);
    const compared = isAlike ? FIELD_NAMES : FIELD_NAMES.filter((name) => name !== "card");
    const fields = compared.filter((name) => !isDeepStrictEqual(entry[name], old[name]));
    return fields.length === 0 ? [] : [{ entry_id: old.id, name: old.name, fields, patch: pickFields(entry, fields) }];
  });
  return {
    added: entries.filter((entry) => !pairs.has(entry)).map((entry) => pickFields(entry, FIELD_NAMES)),
    changed,
    removed: [...left].map(({ id, name }) => ({ entry_id: id, name })),
    same: pairs.size - changed.length,
    errors,
    ...formatWarnings(warnings),
  };
}

function getCardId({ card }: EntryFields): string | undefined {
  const name = CARD_ID_KEYS.find((one) => typeof card[one] === "number" || typeof card[one] === "string");
  return name && `${name} ${String(card[name])}`;
}

/** Returns a key of the content, for entries without an id. */
function getContentWithoutId(entry: EntryFields): string | undefined {
  return getCardId(entry) === undefined ? entry.content : undefined;
}

function pickFields(entry: EntryFields, names: readonly (keyof EntryFields)[]): object {
  return Object.fromEntries(names.map((name) => [name, entry[name]]));
}
