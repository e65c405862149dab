import { isDeepStrictEqual } from "node:util";
import { answered, itemFailureFields, listedWarnings, shape, warningFields } from "@parley/core";
import type { Books, KeptEntry } from "./books.ts";
import { type EntryFields, entryFields } from "./entry-fields.ts";
import { dialectOf } from "./formats/dialects.ts";
import { readPackage } from "./formats/read-package.ts";
import type { StoredEntry } from "./schema.ts";

const NAMES = Object.keys(entryFields) as (keyof EntryFields)[];
/** What a card calls its entries: they keep it when their name or text is another one. */
const IDS = ["uid", "id"];

/** What a newer file of a book would change; nothing is changed. */
export const compareData = shape({
  added: answered.listOf(answered.record),
  changed: answered.listOf(
    shape({ entry_id: answered.id, name: answered.text, fields: answered.texts, patch: answered.record }),
  ),
  removed: answered.listOf(shape({ entry_id: answered.id, name: answered.text })),
  same: answered.count,
  errors: answered.listOf(shape({ index: answered.count, ...itemFailureFields }, "BatchError")),
  ...warningFields,
});

/** Holds a package against the book that it was once, entry by entry: by the card's own id, else by name, else by content. */
export async function compared(books: Pick<Books, "get" | "entriesOf">, bookId: string, given: unknown) {
  await books.get(bookId);
  const { entries, errors, warnings } = readPackage(given);
  const left = new Set(await books.entriesOf(bookId));
  const pairs = new Map<StoredEntry, KeptEntry>();
  for (const keyOf of [cardId, ({ name }: EntryFields) => name, contentOfNameless]) {
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
    // What another kind of file keeps beside the fields says nothing about this one's.
    const isAlike = dialectOf(entry.card) === dialectOf(old.card);
    const compared = isAlike ? NAMES : NAMES.filter((name) => name !== "card");
    const fields = compared.filter((name) => !isDeepStrictEqual(entry[name], old[name]));
    return fields.length === 0 ? [] : [{ entry_id: old.id, name: old.name, fields, patch: pick(entry, fields) }];
  });
  return {
    added: entries.filter((entry) => !pairs.has(entry)).map((entry) => pick(entry, NAMES)),
    changed,
    removed: [...left].map(({ id, name }) => ({ entry_id: id, name })),
    same: pairs.size - changed.length,
    errors,
    ...listedWarnings(warnings),
  };
}

function cardId({ card }: EntryFields): string | undefined {
  const name = IDS.find((one) => typeof card[one] === "number" || typeof card[one] === "string");
  return name && `${name} ${String(card[name])}`;
}

/** Entries that have an id of their own are not the same because they say the same. */
function contentOfNameless(entry: EntryFields): string | undefined {
  return cardId(entry) === undefined ? entry.content : undefined;
}

function pick(entry: EntryFields, names: readonly (keyof EntryFields)[]): object {
  return Object.fromEntries(names.map((name) => [name, entry[name]]));
}
