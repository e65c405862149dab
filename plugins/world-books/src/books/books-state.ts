import {
  type AppError,
  type Clock,
  type Database,
  type ItemFailure,
  type ListedWarnings,
  type LiveEvents,
  type ResourceItem,
  resourceChanged,
  type StoredRecords,
  type Write,
} from "@parley/core";
import type { KeyedQueue } from "@parley/core/async";
import type { LoreLibrary } from "../activation/lore-library.ts";
import { worldBooksTexts } from "../texts.ts";
import type { Book, EntryRecord } from "./book.ts";
import type { EntryFields } from "./entry-fields.ts";
import type { InjectionCounters } from "./injection-counters.ts";
import { type BookFields, entries as entryResource, MAX_BATCH_SIZE, MAX_ENTRIES, type StoredEntry } from "./schema.ts";

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

export interface BooksState {
  readonly deps: BooksDeps;
  /** Runs the changes of one book one after the other. */
  readonly runInOrder: KeyedQueue;
}

export async function prepareEntries(
  records: StoredRecords<StoredEntry>,
  bookId: string,
  given: readonly StoredEntry[],
) {
  const items: EntryRecord[] = [];
  const writes: Write[] = [];
  for (const entry of given) {
    const made = await records.creating({ ...entry, book_id: bookId });
    items.push(made.item);
    writes.push(...made.writes);
  }
  return { items, writes };
}

/** Publishes one event for many changed entries. */
export function publishManyChanged({ events }: BooksDeps, count: number): void {
  if (count > 0) events.publish(resourceChanged(entryResource, "*", "imported"));
}

export async function readAllEntries({ entries }: BooksDeps, bookId: string): Promise<readonly EntryRecord[]> {
  const found: EntryRecord[] = [];
  for (;;) {
    const query = { book_id: bookId, sort: "created_at", limit: MAX_BATCH_SIZE, offset: found.length };
    const { items, total } = await entries().page(query);
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}

export function createLimitReachedError(): AppError {
  return worldBooksTexts.error("conflict", "full", { most: MAX_ENTRIES });
}
