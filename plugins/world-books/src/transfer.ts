import Joi from "@hapi/joi";
import { recordsSection, type TransferSection } from "@parley/core";
import type { Book, Books, KeptEntry } from "./books.ts";
import type { EntryFields } from "./entry-fields.ts";
import { readEntry } from "./entry-rules.ts";
import { type BookFields, books as bookResource, entryRows, MOST_ENTRIES } from "./schema.ts";

interface Item extends BookFields {
  readonly id: string;
  readonly entries: readonly EntryFields[];
}

const ENTRY_NAMES = Object.keys(entryRows.fields);

/** World books of a configuration package: each with its entries, which come in as a whole. */
export function worldBookSection(books: () => Books): TransferSection {
  const itemOf = (
    { id, name, description, character_ids, enabled, card }: Book,
    entries: readonly KeptEntry[],
  ): Item => ({
    id,
    name,
    description,
    character_ids,
    enabled,
    card,
    entries: entries.map((entry) => pick(entry) as unknown as EntryFields),
  });
  const draftsOf = ({ entries }: Item) => entries.map((entry) => readEntry(entry, ""));
  return recordsSection<Item>({
    id: "world_books",
    title: bookResource.title.many,
    item: (bookResource.draft as Joi.ObjectSchema)
      .fork("id", (id) => id.required())
      .keys({
        entries: Joi.array().items(entryRows.draft).max(MOST_ENTRIES).default([]),
      }) as unknown as Joi.Schema<Item>,
    async all() {
      const found: Item[] = [];
      for await (const book of books().all()) found.push(itemOf(book, await books().entriesOf(book.id)));
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

function pick(entry: KeptEntry): object {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => ENTRY_NAMES.includes(name)));
}
