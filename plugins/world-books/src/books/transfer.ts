import Joi from "@hapi/joi";
import type { TransferSection } from "@parley/core";
import { recordsSection } from "@parley/core/transfer";
import type { Book, EntryRecord } from "./book.ts";
import type { Books } from "./books.ts";
import type { EntryFields } from "./entry-fields.ts";
import { readEntry } from "./entry-validation.ts";
import { type BookFields, books as bookResource, entryResource, MAX_ENTRIES } from "./schema.ts";

interface Item extends BookFields {
  readonly id: string;
  readonly entries: readonly EntryFields[];
}

const ENTRY_NAMES = Object.keys(entryResource.fields);

/** Creates the transfer section of world books; a book is imported with all its entries. */
export function createWorldBookSection(books: () => Books): TransferSection {
  const toItem = (
    { id, name, description, character_ids, enabled, behaviour, card }: Book,
    entries: readonly EntryRecord[],
  ): Item => ({
    id,
    name,
    description,
    character_ids,
    enabled,
    behaviour,
    card,
    entries: entries.map((entry) => toEntryFields(entry) as unknown as EntryFields),
  });
  const draftsOf = ({ entries }: Item) => entries.map((entry) => readEntry(entry, ""));
  return recordsSection<Item>({
    id: "world_books",
    title: bookResource.title.many,
    item: (bookResource.draft as Joi.ObjectSchema)
      .fork("id", (id) => id.required())
      .keys({
        entries: Joi.array().items(entryResource.draft).max(MAX_ENTRIES).default([]),
      }) as unknown as Joi.Schema<Item>,
    async all() {
      const found: Item[] = [];
      for await (const book of books().all()) found.push(toItem(book, await books().entriesOf(book.id)));
      return found;
    },
    async create({ entries, ...fields }) {
      await books().create(fields, draftsOf({ entries, ...fields }));
    },
    async change(item, changed) {
      const fields = Object.fromEntries(
        Object.entries(item).filter(([name]) => name !== "entries" && changed.includes(name)),
      );
      await books().replace(item.id, fields, changed.includes("entries") ? draftsOf(item) : undefined);
    },
    remove: (id) => books().remove(id),
  });
}

function toEntryFields(entry: EntryRecord): object {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => ENTRY_NAMES.includes(name)));
}
