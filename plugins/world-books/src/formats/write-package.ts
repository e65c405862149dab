import { ASSUMED_NAME, shownBook } from "../assumed-name.ts";
import type { Book, KeptEntry } from "../books.ts";
import type { Kept } from "../entry-fields.ts";
import type { BookFields } from "../schema.ts";
import { cardOfEntry } from "./card-entry.ts";
import { fieldsOfBook } from "./read-package.ts";

export const FORMATS = ["native", "v2", "v3", "worldinfo"] as const;
export type Format = (typeof FORMATS)[number];

/** A book with its entries in one of the shapes that are exported. */
export function writePackage(book: Book, entries: readonly KeptEntry[], format: Format, at: string): object {
  switch (format) {
    case "native":
      return { version: 1, type: "world_book", exported_at: at, world_book: nativeBook(book, entries) };
    case "v2":
      return lorebookOf(book, entries, false);
    case "v3":
      return { spec: "lorebook_v3", data: lorebookOf(book, entries, true) };
    case "worldinfo":
      return fileOf(book, entries);
  }
}

/** A book as it is, ids included. */
export function nativeBook(book: Book, entries: readonly KeptEntry[]): object {
  return { ...shownBook(book), entries: entries.map(({ rank: _rank, ...entry }) => entry) };
}

/** The lorebook of a card. */
export function lorebookOf(book: BookFields, entries: readonly KeptEntry[], isV3: boolean): Kept {
  const card = cardOf(book);
  const isAsItCame = "extensions" in card || ASSUMED_NAME in book.card;
  return {
    ...card,
    ...(isAsItCame ? {} : { extensions: {} }),
    entries: entries.map((entry) => cardOfEntry(entry, "book", isV3)),
  };
}

function fileOf(book: BookFields, entries: readonly KeptEntry[]): Kept {
  const cards = entries.map((entry) => cardOfEntry(entry, "file", false));
  const uids = new Set(cards.map(({ uid }) => uid).filter((uid) => typeof uid === "number"));
  const isWhole = uids.size === cards.length;
  const named = cards.map((card, index) => {
    const uid = isWhole ? card.uid : index;
    return [String(uid), { ...card, uid }] as const;
  });
  return { ...cardOf(book), entries: Object.fromEntries(named) };
}

/** What the book came with, except what is other by now. */
function cardOf({ name, description, card }: BookFields): Kept {
  const { [ASSUMED_NAME]: assumed, ...own } = card;
  const isNamed = "name" in own || typeof assumed === "string";
  const before = fieldsOfBook(own, typeof assumed === "string" ? assumed : name);
  return {
    ...own,
    ...((!isNamed || before.name !== name) && { name }),
    ...(before.description !== description && { description }),
  };
}
