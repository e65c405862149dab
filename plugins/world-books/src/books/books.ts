import {
  type AppError,
  type Clock,
  checkRevision,
  type Database,
  formatWarnings,
  type ItemFailure,
  type ListedWarnings,
  type LiveEvents,
  newId,
  notFound,
  type ResourceItem,
  type ResourceQuery,
  type ResourceRecords,
  resourceChanged,
  type StoredRecords,
  type Write,
} from "@parley/core";
import type { List } from "@parley/core/http";
import { listRejected } from "@parley/core/transfer";
import type { LoreLibrary } from "../activation/lore-library.ts";
import { worldBooksTexts } from "../texts.ts";
import { toBookView, withAssumedName } from "./assumed-name.ts";
import type { Book, EntryRecord } from "./book.ts";
import type { EntryFields } from "./entry-fields.ts";
import { completeEntry, listWarnings, readEntries, toEntryError } from "./entry-validation.ts";
import type { InjectionCounters } from "./injection-counters.ts";
import {
  type BookDraft,
  type BookFields,
  books as bookResource,
  entries as entryResource,
  MAX_BATCH_SIZE,
  MAX_ENTRIES,
  type StoredEntry,
} from "./schema.ts";
import { createSerialQueue } from "./serial-queue.ts";

/** An entry in the form for clients. */
export type EntryView = ResourceItem<EntryFields> & ListedWarnings & { readonly book_id: string };
export interface BatchResult {
  readonly created: number;
  readonly failed: number;
  readonly items: readonly EntryView[];
  readonly errors: readonly ({ readonly index: number } & ItemFailure)[];
}
/** A book whose writes the caller stores; `created` must be called afterwards. */
export interface PreparedBook {
  readonly item: Book;
  readonly entries: readonly EntryRecord[];
  readonly writes: readonly Write[];
  /** Resolves when the book's entries are active. */
  created(): Promise<void>;
}

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

export interface BooksDeps {
  readonly books: () => StoredRecords<BookFields>;
  readonly entries: () => StoredRecords<StoredEntry>;
  readonly database: () => Database;
  readonly counters: InjectionCounters;
  readonly library: LoreLibrary;
  /** True when an enabled plugin can search regular expressions. */
  readonly canSearchRegexes: () => boolean;
  readonly events: LiveEvents;
  readonly clock: Clock;
  /** Removes a book from the characters that name it. */
  readonly unbind: (bookId: string) => Promise<void>;
}

export function createBooks(deps: BooksDeps): Books {
  const { books, entries, database, counters, library, canSearchRegexes, events, clock, unbind } = deps;
  const runInOrder = createSerialQueue();
  const toEntryView = (entry: EntryRecord): EntryView => {
    const { rank: _rank, ...fields } = entry;
    const isUnsearched = !canSearchRegexes();
    const warnings = listWarnings(entry, { isDisabled: library.isQuarantined(entry.id), isUnsearched });
    return { ...fields, ...formatWarnings(warnings) };
  };
  const withEntryCounts = async <One extends Book>(items: readonly One[]) => {
    const counts = await entries().countBy(
      "book_id",
      items.map(({ id }) => id),
    );
    return items.map((item) => ({ ...toBookView(item), entry_count: counts.get(item.id) ?? 0 }));
  };
  const listEntries: Books["listEntries"] = async (bookId, { sort = "-priority", ...query }) => {
    await books().get(bookId);
    const order = sort === "-priority" ? "rank" : sort === "priority" ? "-rank" : sort;
    const { items, ...page } = await entries().page({ ...query, book_id: bookId, sort: order });
    return { ...page, items: items.map(toEntryView) };
  };
  const toBookWithCount = async (book: Book) => {
    const [one] = await withEntryCounts([book]);
    const { items } = await listEntries(book.id, { limit: MAX_BATCH_SIZE, offset: 0 });
    return { ...(one as Book), entries: items, entries_truncated: (one?.entry_count ?? 0) > items.length };
  };
  const entriesOf: Books["entriesOf"] = async (bookId) => {
    const found: EntryRecord[] = [];
    for (;;) {
      const query = { book_id: bookId, sort: "created_at", limit: MAX_BATCH_SIZE, offset: found.length };
      const { items, total } = await entries().page(query);
      found.push(...items);
      if (items.length === 0 || found.length >= total) return found;
    }
  };
  /** Publishes one event for many changed entries; it is the event of their book. */
  const publishManyChanged = (count: number) => {
    if (count > 0) events.publish(resourceChanged(entryResource, "*", "imported"));
  };
  const rejectOverLimit = async (bookId: string, more: number) => {
    const there = (await entries().countBy("book_id", [bookId])).get(bookId) ?? 0;
    if (there + more > MAX_ENTRIES) throw createLimitReachedError();
  };
  const findEntry = async (bookId: string, id: string) => {
    await books().get(bookId);
    const entry = await entries().find(id);
    if (entry?.book_id !== bookId) throw notFound("entry", id);
    return entry;
  };
  const preparing: Books["prepare"] = async (draft, given) => {
    const { entries: _entries, ...fields } = draft;
    if (given.length > MAX_ENTRIES) throw createLimitReachedError();
    const id = fields.id ?? newId(bookResource.idPrefix, clock.now());
    const made = await books().creating({ ...bookResource.defaults, ...fields } as BookFields, { id });
    const writes = [...made.writes];
    const stored: EntryRecord[] = [];
    for (const entry of given) {
      const one = await entries().creating({ ...entry, book_id: id });
      stored.push(one.item);
      writes.push(...one.writes);
    }
    return {
      item: made.item,
      entries: stored,
      writes,
      async created() {
        events.publish(resourceChanged(bookResource, id, "created", made.item.revision));
        library.putBook(made.item);
        await library.put(stored);
      },
    };
  };
  const create: Books["create"] = async (draft, given) => {
    const { id } = draft;
    if (id !== undefined && (await books().find(id)))
      throw worldBooksTexts.error("conflict", "id_taken", { id }, { field: "id" });
    const prepared = await preparing(draft, given);
    await database().write(prepared.writes);
    await prepared.created();
    return prepared;
  };
  const remove: Books["remove"] = async (id, ifMatch) => {
    await runInOrder(id, async () => {
      checkRevision(await books().get(id), ifMatch);
      const theirs = [...(await entries().removingBy("book_id", id)), ...counters.removeBookWrites(id)];
      const [removed] = await database().write([...(await books().removing(id, ifMatch)), ...theirs]);
      if (removed?.changes === 0) throw notFound("world book", id);
    });
    library.removeBook(id);
    events.publish(resourceChanged(bookResource, id, "deleted"));
    await unbind(id);
  };
  const addEntries: Books["addEntries"] = (bookId, drafts, atomic) =>
    runInOrder(bookId, async () => {
      const book = await books().get(bookId);
      const { read, wrong } = readEntries(drafts, bookId);
      const [first] = wrong;
      if (first && atomic) throw toEntryError(first);
      const errors = listRejected(wrong, drafts.length);
      await rejectOverLimit(bookId, read.length);
      const prepared = [];
      for (const entry of read) prepared.push(await entries().creating(entry));
      await database().write(prepared.flatMap(({ writes }) => writes));
      const items = prepared.map(({ item }) => item);
      await library.put(items);
      if (items.length > 0) events.publish(resourceChanged(bookResource, bookId, "updated", book.revision));
      publishManyChanged(items.length);
      return { created: items.length, failed: errors.length, items: items.map(toEntryView), errors };
    });

  const replace: Books["replace"] = async (id, fields, given) => {
    if (given && given.length > MAX_ENTRIES) throw createLimitReachedError();
    await runInOrder(id, async () => {
      const changed = await books().changing(await books().get(id), fields);
      const writes = [...changed.writes];
      const createdEntries: EntryRecord[] = [];
      const old = given ? (await entriesOf(id)).map((entry) => entry.id) : [];
      if (given) writes.push(...(await entries().removingBy("book_id", id)), ...counters.removeBookWrites(id));
      for (const entry of given ?? []) {
        const made = await entries().creating({ ...entry, book_id: id });
        createdEntries.push(made.item);
        writes.push(...made.writes);
      }
      await database().write(writes);
      library.putBook(changed.item);
      await library.remove(old);
      await library.put(createdEntries);
      events.publish(resourceChanged(bookResource, id, "updated", changed.item.revision));
      if (given) publishManyChanged(old.length + createdEntries.length);
    });
  };
  const page: Books["page"] = async ({ character_id, ...query }) => {
    const narrowed = { ...query, ...(character_id !== undefined && { character_ids: character_id }) };
    const { items, ...rest } = await books().page(narrowed);
    return { ...rest, items: await withEntryCounts(items) };
  };

  return {
    get: (id) => books().get(id),
    find: (id) => books().find(id),
    all: () => books().all(),
    page,
    prepare: preparing,
    create,
    remove,
    entriesOf,
    replace,
    listEntries,
    addEntry: (bookId, draft) =>
      runInOrder(bookId, async () => {
        await books().get(bookId);
        await rejectOverLimit(bookId, 1);
        const made = await entries().create(completeEntry(draft, bookId));
        await library.put([made]);
        return toEntryView(made);
      }),
    async changeEntry(bookId, id, patch, ifMatch) {
      await findEntry(bookId, id);
      const changed = await entries().change(id, (before) => toStoredPatch(before, patch, bookId), { ifMatch });
      await library.put([changed]);
      return toEntryView(changed);
    },
    async removeEntry(bookId, id, ifMatch) {
      await findEntry(bookId, id);
      await entries().remove(id, { ifMatch });
      await database().write(counters.removeEntryWrites(id));
      await library.remove([id]);
    },
    addEntries,
    records: {
      page,
      get: async (id) => toBookWithCount(await books().get(id)),
      async create(draft) {
        const { entries: given = [] } = draft as unknown as BookDraft;
        const { read, wrong } = readEntries(given, "");
        const [first] = wrong;
        if (first) throw toEntryError(first);
        const { item, entries: createdEntries } = await create(draft as unknown as BookDraft, read);
        return { ...toBookView(item), entry_count: createdEntries.length };
      },
      async change(id, patch, request) {
        const { card } = patch;
        const changed = await books().change(
          id,
          (before) => ({ ...patch, ...(card && { card: withAssumedName(before.card, card) }) }),
          request,
        );
        library.putBook(changed);
        return (await withEntryCounts([changed]))[0] as Book;
      },
      remove: (id, { ifMatch }) => remove(id, ifMatch),
    },
  };
}

/** Returns the stored fields of a change; a removed name is derived again from the keywords. */
function toStoredPatch(before: EntryRecord, patch: Partial<EntryFields>, bookId: string): Partial<StoredEntry> {
  const next = completeEntry({ ...before, ...patch }, bookId);
  const names = new Set([...Object.keys(patch), "name", "rank"]);
  return Object.fromEntries(Object.entries(next).filter(([name]) => names.has(name)));
}

function createLimitReachedError(): AppError {
  return worldBooksTexts.error("conflict", "full", { most: MAX_ENTRIES });
}
