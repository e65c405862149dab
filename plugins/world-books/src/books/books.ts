import {
  checkRevision,
  newId,
  notFound,
  type ResourceQuery,
  type ResourceRecords,
  resourceChanged,
} from "@parley/core";
import { createKeyedQueue } from "@parley/core/async";
import type { List } from "@parley/core/http";
import { worldBooksTexts } from "../texts.ts";
import { toBookView, withAssumedName } from "./assumed-name.ts";
import type { Book, EntryRecord } from "./book.ts";
import { addEntries, addEntry, changeEntry, readEntryPage, removeEntry } from "./book-entries.ts";
import {
  type BatchResult,
  type BooksDeps,
  type BooksState,
  createLimitReachedError,
  type EntryView,
  type PreparedBook,
  prepareEntries,
  publishManyChanged,
  readAllEntries,
} from "./books-state.ts";
import type { EntryFields } from "./entry-fields.ts";
import { readEntries, toEntryError } from "./entry-validation.ts";
import {
  type BookDraft,
  type BookFields,
  books as bookResource,
  MAX_BATCH_SIZE,
  MAX_ENTRIES,
  type StoredEntry,
} from "./schema.ts";

/** World books and their entries as records. */
export interface Books {
  readonly records: ResourceRecords<BookFields>;
  get(id: string): Promise<Book>;
  find(id: string): Promise<Book | undefined>;
  page(query: ResourceQuery): Promise<List<Book & { readonly entry_count: number }>>;
  all(): AsyncIterable<Book>;
  /** Prepares a new book; rejects with `conflict` when there would be too many books or entries. */
  prepare(draft: BookDraft, entries: readonly StoredEntry[]): Promise<PreparedBook>;
  create(draft: BookDraft, entries: readonly StoredEntry[]): Promise<PreparedBook>;
  remove(id: string, ifMatch?: number): Promise<void>;
  /** Changes fields of a book and replaces its entries, if given. */
  replace(id: string, fields: Partial<BookFields>, entries: readonly StoredEntry[] | undefined): Promise<void>;
  /** Returns all entries of a book in order of creation. */
  entriesOf(bookId: string): Promise<readonly EntryRecord[]>;
  listEntries(bookId: string, query: ResourceQuery): Promise<List<EntryView>>;
  addEntry(bookId: string, draft: Partial<EntryFields>): Promise<EntryView>;
  changeEntry(bookId: string, id: string, patch: Partial<EntryFields>, ifMatch?: number): Promise<EntryView>;
  removeEntry(bookId: string, id: string, ifMatch?: number): Promise<void>;
  /** Adds entries. With `atomic`, one invalid entry rejects all with `bad_request`; else the valid ones are added. */
  addEntries(bookId: string, drafts: readonly unknown[], atomic: boolean): Promise<BatchResult>;
}

export function createBooks(deps: BooksDeps): Books {
  const state: BooksState = { deps, runInOrder: createKeyedQueue() };
  const { books } = deps;
  return {
    get: (id) => books().get(id),
    find: (id) => books().find(id),
    all: () => books().all(),
    page: (query) => readPage(deps, query),
    prepare: (draft, entries) => prepareBook(deps, draft, entries),
    create: (draft, entries) => createBook(deps, draft, entries),
    remove: (id, ifMatch) => removeBook(state, id, ifMatch),
    replace: (id, fields, entries) => replaceBook(state, id, fields, entries),
    entriesOf: (bookId) => readAllEntries(deps, bookId),
    listEntries: (bookId, query) => readEntryPage(deps, bookId, query),
    addEntry: (bookId, draft) => addEntry(state, bookId, draft),
    addEntries: (bookId, drafts, atomic) => addEntries(state, bookId, drafts, atomic),
    changeEntry: (bookId, id, patch, ifMatch) => changeEntry(deps, { bookId, id }, patch, ifMatch),
    removeEntry: (bookId, id, ifMatch) => removeEntry(deps, { bookId, id }, ifMatch),
    records: createBookRecords(state),
  };
}

function createBookRecords(state: BooksState): ResourceRecords<BookFields> {
  const { deps } = state;
  return {
    page: (query) => readPage(deps, query),
    get: async (id) => toBookWithEntries(deps, await deps.books().get(id)),
    async create(draft) {
      const { entries: given = [] } = draft as unknown as BookDraft;
      const { read, wrong } = readEntries(given, "");
      const [first] = wrong;
      if (first) throw toEntryError(first);
      const { item, entries } = await createBook(deps, draft as unknown as BookDraft, read);
      return { ...toBookView(item), entry_count: entries.length };
    },
    async change(id, patch, request) {
      const { card } = patch;
      const changed = await deps
        .books()
        .change(id, (before) => ({ ...patch, ...(card && { card: withAssumedName(before.card, card) }) }), request);
      deps.library.putBook(changed);
      return (await withEntryCounts(deps, [changed]))[0] as Book;
    },
    remove: (id, { ifMatch }) => removeBook(state, id, ifMatch),
  };
}

async function readPage(deps: BooksDeps, { character_id, ...query }: ResourceQuery) {
  const narrowed = { ...query, ...(character_id !== undefined && { character_ids: character_id }) };
  const { items, ...rest } = await deps.books().page(narrowed);
  return { ...rest, items: await withEntryCounts(deps, items) };
}

async function withEntryCounts<One extends Book>({ entries }: BooksDeps, items: readonly One[]) {
  const ids = items.map(({ id }) => id);
  const counts = await entries().countBy("book_id", ids);
  return items.map((item) => ({ ...toBookView(item), entry_count: counts.get(item.id) ?? 0 }));
}

async function toBookWithEntries(deps: BooksDeps, book: Book) {
  const [one] = await withEntryCounts(deps, [book]);
  const { items } = await readEntryPage(deps, book.id, { limit: MAX_BATCH_SIZE, offset: 0 });
  const entries_truncated = (one?.entry_count ?? 0) > items.length;
  return { ...(one as Book), entries: items, entries_truncated };
}

async function prepareBook(
  { books, entries, events, library, clock }: BooksDeps,
  { entries: _entries, ...fields }: BookDraft,
  given: readonly StoredEntry[],
): Promise<PreparedBook> {
  if (given.length > MAX_ENTRIES) throw createLimitReachedError();
  const id = fields.id ?? newId(bookResource.idPrefix, clock.now());
  const made = await books().creating({ ...bookResource.defaults, ...fields } as BookFields, { id });
  const prepared = await prepareEntries(entries(), id, given);
  return {
    item: made.item,
    entries: prepared.items,
    writes: [...made.writes, ...prepared.writes],
    async created() {
      events.publish(resourceChanged(bookResource, id, "created", made.item.revision));
      library.putBook(made.item);
      await library.put(prepared.items);
    },
  };
}

async function createBook(deps: BooksDeps, draft: BookDraft, given: readonly StoredEntry[]): Promise<PreparedBook> {
  const { id } = draft;
  if (id !== undefined && (await deps.books().find(id)))
    throw worldBooksTexts.error("conflict", "id_taken", { id }, { field: "id" });
  const prepared = await prepareBook(deps, draft, given);
  await deps.database().write(prepared.writes);
  await prepared.created();
  return prepared;
}

async function removeBook({ deps, runInOrder }: BooksState, id: string, ifMatch?: number): Promise<void> {
  const { books, entries, counters, database, library, events, unbind } = deps;
  await runInOrder(id, async () => {
    checkRevision(await books().get(id), ifMatch);
    const entryWrites = [...(await entries().removingBy("book_id", id)), ...counters.removeBookWrites(id)];
    const [removed] = await database().write([...(await books().removing(id, ifMatch)), ...entryWrites]);
    if (removed?.changes === 0) throw notFound("world book", id);
  });
  library.removeBook(id);
  events.publish(resourceChanged(bookResource, id, "deleted"));
  await unbind(id);
}

async function replaceBook(
  { deps, runInOrder }: BooksState,
  id: string,
  fields: Partial<BookFields>,
  given: readonly StoredEntry[] | undefined,
): Promise<void> {
  const { books, entries, counters, database, library, events } = deps;
  if (given && given.length > MAX_ENTRIES) throw createLimitReachedError();
  await runInOrder(id, async () => {
    const changed = await books().changing(await books().get(id), fields);
    const old = given ? (await readAllEntries(deps, id)).map((entry) => entry.id) : [];
    const removal = given ? [...(await entries().removingBy("book_id", id)), ...counters.removeBookWrites(id)] : [];
    const prepared = await prepareEntries(entries(), id, given ?? []);
    await database().write([...changed.writes, ...removal, ...prepared.writes]);
    library.putBook(changed.item);
    await library.remove(old);
    await library.put(prepared.items);
    events.publish(resourceChanged(bookResource, id, "updated", changed.item.revision));
    if (given) publishManyChanged(deps, old.length + prepared.items.length);
  });
}
