import { formatWarnings, notFound, type ResourceQuery, resourceChanged } from "@parley/core";
import type { List } from "@parley/core/http";
import { listRejected } from "@parley/core/transfer";
import type { EntryRecord } from "./book.ts";
import {
  type BatchResult,
  type BooksDeps,
  type BooksState,
  createLimitReachedError,
  type EntryView,
  prepareEntries,
  publishManyChanged,
} from "./books-state.ts";
import type { EntryFields } from "./entry-fields.ts";
import { completeEntry, listWarnings, readEntries, toEntryError } from "./entry-validation.ts";
import { books as bookResource, MAX_ENTRIES, type StoredEntry } from "./schema.ts";

export async function readEntryPage(
  deps: BooksDeps,
  bookId: string,
  { sort = "-priority", ...query }: ResourceQuery,
): Promise<List<EntryView>> {
  await deps.books().get(bookId);
  const order = sort === "-priority" ? "rank" : sort === "priority" ? "-rank" : sort;
  const { items, ...page } = await deps.entries().page({ ...query, book_id: bookId, sort: order });
  return { ...page, items: items.map((entry) => toEntryView(deps, entry)) };
}

function toEntryView({ canSearchRegexes, library }: BooksDeps, entry: EntryRecord): EntryView {
  const { rank: _rank, ...fields } = entry;
  const warnings = listWarnings(entry, {
    behaviour: library.books.get(entry.book_id)?.behaviour,
    isDisabled: library.isQuarantined(entry.id),
    isUnsearched: !canSearchRegexes(),
  });
  return { ...fields, ...formatWarnings(warnings) };
}

export function addEntry(
  { deps, runInOrder }: BooksState,
  bookId: string,
  draft: Partial<EntryFields>,
): Promise<EntryView> {
  const { books, entries, library } = deps;
  return runInOrder(bookId, async () => {
    await books().get(bookId);
    await rejectOverLimit(deps, bookId, 1);
    const made = await entries().create(completeEntry(draft, bookId));
    await library.put([made]);
    return toEntryView(deps, made);
  });
}

export function addEntries(
  { deps, runInOrder }: BooksState,
  bookId: string,
  drafts: readonly unknown[],
  atomic: boolean,
): Promise<BatchResult> {
  const { books, entries, database, library, events } = deps;
  return runInOrder(bookId, async () => {
    const book = await books().get(bookId);
    const { read, wrong } = readEntries(drafts, bookId);
    const [first] = wrong;
    if (first && atomic) throw toEntryError(first);
    const errors = listRejected(wrong, drafts.length);
    await rejectOverLimit(deps, bookId, read.length);
    const { items, writes } = await prepareEntries(entries(), bookId, read);
    await database().write(writes);
    await library.put(items);
    if (items.length > 0) events.publish(resourceChanged(bookResource, bookId, "updated", book.revision));
    publishManyChanged(deps, items.length);
    const created = items.map((entry) => toEntryView(deps, entry));
    return { created: items.length, failed: errors.length, items: created, errors };
  });
}

async function rejectOverLimit({ entries }: BooksDeps, bookId: string, more: number): Promise<void> {
  const there = (await entries().countBy("book_id", [bookId])).get(bookId) ?? 0;
  if (there + more > MAX_ENTRIES) throw createLimitReachedError();
}

interface EntryAddress {
  readonly bookId: string;
  readonly id: string;
}

export async function changeEntry(
  deps: BooksDeps,
  address: EntryAddress,
  patch: Partial<EntryFields>,
  ifMatch?: number,
): Promise<EntryView> {
  const { bookId, id } = address;
  const { library, database, counters } = deps;
  await assertEntryExists(deps, address);
  const changed = await deps.entries().change(id, (before) => toStoredPatch(before, patch, bookId), { ifMatch });
  // Under the rules of World Info a changed entry begins anew.
  if (library.books.get(bookId)?.behaviour === "world_info") await database().write(counters.removeEntryWrites(id));
  await library.put([changed]);
  return toEntryView(deps, changed);
}

export async function removeEntry(deps: BooksDeps, address: EntryAddress, ifMatch?: number): Promise<void> {
  const { entries, database, counters, library } = deps;
  const { id } = address;
  await assertEntryExists(deps, address);
  await entries().remove(id, { ifMatch });
  await database().write(counters.removeEntryWrites(id));
  await library.remove([id]);
}

async function assertEntryExists({ books, entries }: BooksDeps, { bookId, id }: EntryAddress): Promise<void> {
  await books().get(bookId);
  const entry = await entries().find(id);
  if (entry?.book_id !== bookId) throw notFound("entry", id);
}

/** Returns the stored fields of a change; a removed name is derived again from the keywords. */
function toStoredPatch(before: EntryRecord, patch: Partial<EntryFields>, bookId: string): Partial<StoredEntry> {
  const next = completeEntry({ ...before, ...patch }, bookId);
  const names = new Set([...Object.keys(patch), "name", "rank"]);
  return Object.fromEntries(Object.entries(next).filter(([name]) => names.has(name)));
}
