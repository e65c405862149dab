import { ASSUMED_NAME, toBookView } from "../books/assumed-name.ts";
import type { Book, EntryRecord } from "../books/book.ts";
import type { CardExtras } from "../books/entry-fields.ts";
import type { Behaviour, BookFields } from "../books/schema.ts";
import { toCardEntry } from "./card-entry.ts";
import { readBehaviour, readBookFields } from "./read-package.ts";

export const FORMATS = ["native", "v2", "v3", "worldinfo"] as const;
export type Format = (typeof FORMATS)[number];

/** Returns a book with its entries in one of the export formats. */
export function writePackage(book: Book, entries: readonly EntryRecord[], format: Format, at: string): object {
  switch (format) {
    case "native":
      return { version: 1, type: "world_book", exported_at: at, world_book: toNativeBook(book, entries) };
    case "v2":
      return toLorebook(book, entries, false);
    case "v3":
      return { spec: "lorebook_v3", data: toLorebook(book, entries, true) };
    case "worldinfo":
      return toWorldInfoFile(book, entries);
  }
}

/** Returns a book in our own format, with all ids. */
export function toNativeBook(book: Book, entries: readonly EntryRecord[]): object {
  return { ...toBookView(book), entries: entries.map(({ rank: _rank, ...entry }) => entry) };
}

export function toLorebook(book: BookFields, entries: readonly EntryRecord[], isV3: boolean): CardExtras {
  const card = toBookCard(book);
  const isAsItCame = "extensions" in card || ASSUMED_NAME in book.card;
  return {
    ...card,
    ...(isAsItCame ? {} : { extensions: {} }),
    entries: entries.map((entry) => toCardEntry(entry, "book", isV3)),
  };
}

function toWorldInfoFile(book: BookFields, entries: readonly EntryRecord[]): CardExtras {
  const cards = entries.map((entry) => toCardEntry(entry, "file", false));
  const uids = new Set(cards.map(({ uid }) => uid).filter((uid) => typeof uid === "number"));
  const isWhole = uids.size === cards.length;
  const named = cards.map((card, index) => {
    const uid = isWhole ? card.uid : index;
    return [String(uid), { ...card, uid }] as const;
  });
  return { ...toBookCard(book), entries: Object.fromEntries(named) };
}

/** Returns the book's original card with the changed values. */
function toBookCard({ name, description, behaviour, card }: BookFields): CardExtras {
  const { [ASSUMED_NAME]: assumed, ...own } = card;
  const isNamed = "name" in own || typeof assumed === "string";
  const before = readBookFields(own, typeof assumed === "string" ? assumed : name);
  return {
    ...own,
    ...((!isNamed || before.name !== name) && { name }),
    ...(before.description !== description && { description }),
    ...(readBehaviour(own) !== behaviour && { extensions: withBehaviour(own.extensions, behaviour) }),
  };
}

function withBehaviour(extensions: unknown, behaviour: Behaviour): CardExtras {
  const { parley, ...others } = Object(extensions) as CardExtras;
  return { ...others, parley: { ...Object(parley), behaviour } };
}
