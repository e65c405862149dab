import type { CallOptions, DataOf } from "@parley/client";
import { parley, type Shapes } from "../../shared/api/client.ts";
import { readAllPages, readWholeList } from "../../shared/api/list-pages.ts";
import type { JsonObject } from "../../shared/json-object.ts";

export type Book = Shapes["WorldBook"];
export type Entry = Shapes["WorldBookEntry"];
export type EntryDraft = CallOptions<"post", "/api/world-books/{book_id}/entries">["body"];
export type EntryPatch = NonNullable<CallOptions<"put", "/api/world-books/{book_id}/entries/{entry_id}">["body"]>;
export type MatchResult = Shapes["WorldBookTestMatch"];
export type Match = MatchResult["matches"][number];
export type DroppedEntry = MatchResult["dropped"][number];
export type Format = "native" | "v2" | "v3" | "worldinfo";

export type TrialRequest = CallOptions<"post", "/api/world-books/test-match">["body"];

/** The differences between a book and a newer file. */
export type Comparison = DataOf<"post", "/api/world-books/{book_id}/compare">;

const BOOKS_PATH = "/api/world-books";
const BOOK_PATH = `${BOOKS_PATH}/{book_id}` as const;
const ENTRY_PATH = `${BOOK_PATH}/entries/{entry_id}` as const;

export const books = {
  list: (q: string) => readWholeList((page) => parley.get(BOOKS_PATH, { query: { ...page, ...(q !== "" && { q }) } })),
  get: async (book_id: string) => {
    const { entries: _entries, ...book } = await parley.get(BOOK_PATH, { path: { book_id } });
    return book;
  },
  create: (name: string) => parley.post(BOOKS_PATH, { body: { name } }),
  update: (
    book_id: string,
    body: Partial<Pick<Book, "name" | "description" | "character_ids" | "enabled" | "card">>,
    ifMatch?: number,
  ) => parley.put(BOOK_PATH, { path: { book_id }, body, ifMatch }),
  remove: (book_id: string) => parley.delete(BOOK_PATH, { path: { book_id } }),
  export: (book_id: string, format: Format) =>
    parley.get(`${BOOKS_PATH}/export/{book_id}`, { path: { book_id }, query: { format } }),
  import: (body: JsonObject, name: string) =>
    parley.post(`${BOOKS_PATH}/import`, { body, ...(name !== "" && { query: { name } }) }),
  compare: (book_id: string, body: JsonObject) => parley.post(`${BOOK_PATH}/compare`, { path: { book_id }, body }),
  /** Fetches all entries of a book, page by page. */
  listEntries: (book_id: string, signal: AbortSignal): Promise<readonly Entry[]> =>
    readAllPages(
      (page) => parley.get(`${BOOK_PATH}/entries`, { path: { book_id }, query: page, signal }),
      ({ id }) => id,
    ),
  addEntry: (book_id: string, body: EntryDraft) => parley.post(`${BOOK_PATH}/entries`, { path: { book_id }, body }),
  addEntries: (book_id: string, drafts: readonly object[]) =>
    parley.post(`${BOOK_PATH}/entries/batch`, { path: { book_id }, body: { entries: [...drafts] } }),
  updateEntry: (book_id: string, entry_id: string, body: EntryPatch, ifMatch?: number) =>
    parley.put(ENTRY_PATH, { path: { book_id, entry_id }, body, ifMatch }),
  removeEntry: (book_id: string, entry_id: string) => parley.delete(ENTRY_PATH, { path: { book_id, entry_id } }),
  generate: (book_id: string, body: { readonly topic: string; readonly count: number }) =>
    parley.post(`${BOOK_PATH}/ai-generate`, { path: { book_id }, body }),
  tryOut: (body: TrialRequest) => parley.post(`${BOOKS_PATH}/test-match`, { body }),
};
