import {
  type Clock,
  formatWarnings,
  type ListedWarnings,
  type LorebookOrigin,
  type Lorebooks,
  localizeMessage,
  type PreparedLorebook,
} from "@parley/core";
import { importEach } from "@parley/core/transfer";
import { type FailedEntry, type IncomingBook, readLorebook, readPackage } from "../formats/read-package.ts";
import { type Format, toLorebook, toNativeBook, writePackage } from "../formats/write-package.ts";
import { worldBooksTexts } from "../texts.ts";
import { ASSUMED_NAME, toBookView } from "./assumed-name.ts";
import type { Book } from "./book.ts";
import type { Books } from "./books.ts";
import type { PreparedBook } from "./books-state.ts";
import type { CardExtras } from "./entry-fields.ts";

const BUNDLE = "world_books_bundle";
const MAX_BOOKS_PER_FILE = 500;
const BOOKS_FIELD = { field: "world_books" } as const;

export interface ImportOptions {
  readonly name?: string | undefined;
  readonly character_ids?: readonly string[] | undefined;
}

/** Imports and exports books. */
export interface Packages {
  export(bookId: string, format: Format): Promise<{ readonly book: Book; readonly data: object }>;
  /** Streams all books as JSON, so that they are never all in memory. */
  exportAll(): AsyncIterable<string>;
  import(given: unknown, options: ImportOptions): Promise<ImportedBook>;
  importAll(given: unknown): Promise<object>;
}

interface ImportedBook extends ListedWarnings {
  readonly book: Book & { readonly entry_count: number };
  readonly imported_entries: number;
  readonly failed_entries: number;
  readonly errors: readonly FailedEntry[];
}

export function createPackages(books: Books, clock: Clock): Packages {
  const now = () => new Date(clock.now()).toISOString();
  const store = async ({ fields, entries }: IncomingBook): Promise<PreparedBook> => books.create(fields, entries);
  return {
    async export(bookId, format) {
      const book = await books.get(bookId);
      return { book, data: writePackage(book, await books.entriesOf(bookId), format, now()) };
    },
    async *exportAll() {
      let total = 0;
      yield `{"version":1,"type":"${BUNDLE}","exported_at":"${now()}","world_books":[`;
      for await (const book of books.all()) {
        const text = JSON.stringify(toNativeBook(book, await books.entriesOf(book.id)));
        yield total === 0 ? text : `,${text}`;
        total += 1;
      }
      yield `],"total":${total}}`;
    },
    async import(given, { name, character_ids }) {
      const read = readPackage(given);
      const fields = { ...read.fields, ...(name !== undefined && { name }), ...(character_ids && { character_ids }) };
      const { item, entries } = await store({ ...read, fields });
      return {
        book: { ...toBookView(item), entry_count: entries.length },
        imported_entries: entries.length,
        failed_entries: read.errors.length,
        errors: read.errors,
        ...formatWarnings(read.warnings),
      };
    },
    importAll: (given) =>
      importEach(readBookList(given), {
        async importOne(one) {
          const { item } = await store(readPackage(one));
          return { id: item.id, name: item.name };
        },
        describe: (one) => ({ name: readBookName(one) }),
      }),
  };
}

function readBookList(given: unknown): readonly unknown[] {
  const { world_books, items } = Object(given) as { readonly world_books?: unknown; readonly items?: unknown };
  const list = Array.isArray(given) ? given : (world_books ?? items ?? [given]);
  if (!Array.isArray(list) || list.length === 0)
    throw worldBooksTexts.error("bad_request", "nothing_in_it", {}, BOOKS_FIELD);
  if (list.length > MAX_BOOKS_PER_FILE)
    throw worldBooksTexts.error("bad_request", "many_books", { most: MAX_BOOKS_PER_FILE }, BOOKS_FIELD);
  // A single invalid book is reported as the error of the request.
  if (list.length === 1 && list[0] === given) readPackage(given);
  return list;
}

function readBookName(book: unknown): string {
  const { name, world_book } = Object(book) as {
    readonly name?: unknown;
    readonly world_book?: { readonly name?: unknown };
  };
  const found = name ?? world_book?.name;
  return typeof found === "string" ? found.slice(0, 100) : "";
}

/** Creates the service for world books in character cards. */
export function createLorebooks(books: Books): Lorebooks {
  const importing = async (lorebook: CardExtras, { name, boundTo }: LorebookOrigin): Promise<PreparedLorebook> => {
    const { fields, entries, errors, warnings } = readLorebook(lorebook, name);
    const card = { ...fields.card, [ASSUMED_NAME]: fields.name };
    const made = await books.prepare({ ...fields, card, character_ids: boundTo }, entries);
    const leftOut = errors.map(({ index, error, detail }) =>
      worldBooksTexts.message("entry_left_out", { index, reason: localizeMessage(error, detail) }),
    );
    return {
      bookId: made.item.id,
      writes: made.writes,
      ...formatWarnings([...leftOut, ...warnings]),
      created: () => void made.created(),
    };
  };
  return {
    importing,
    async exported(bookIds, spec) {
      const found: CardExtras[] = [];
      for (const id of bookIds) {
        const book = await books.find(id);
        if (book) found.push(toLorebook(book, await books.entriesOf(id), spec === "v3"));
      }
      const [first, ...others] = found;
      const entriesOf = (one: CardExtras) => one.entries as readonly unknown[];
      return first && { ...first, entries: [first, ...others].flatMap(entriesOf) };
    },
    async boundTo(id) {
      const { items } = await books.page({
        character_id: id,
        sort: "created_at",
        limit: MAX_BOOKS_PER_FILE,
        offset: 0,
      });
      return items.map((book) => book.id);
    },
    async existing(bookIds) {
      const found = new Set<string>();
      for (const id of new Set(bookIds)) if (await books.find(id)) found.add(id);
      return found;
    },
  };
}
