import type { ItemFailure, ListedWarnings } from "@parley/core";
import { api, type Listed, MAX_LIMIT_QUERY, parley, type Shapes } from "../../shared/api/client.ts";

export type Book = Shapes["WorldBook"];
export type Entry = Shapes["WorldBookEntry"];
export type EntryPatch = Partial<
  Omit<Entry, "id" | "book_id" | "created_at" | "updated_at" | "revision" | "warnings" | "warning_details">
>;
export type MatchResult = Shapes["WorldBookTestMatch"];
export type Match = MatchResult["matches"][number];
export type Dropped = MatchResult["dropped"][number];
export type Format = "native" | "v2" | "v3" | "worldinfo";

export interface TrialRequest {
  readonly message: string;
  readonly recent_messages: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
  readonly scene: Readonly<Record<string, string | readonly string[]>>;
  readonly character_id?: string;
  readonly book_ids?: readonly string[];
}

/** The differences between a book and a newer file. */
export interface Comparison extends ListedWarnings {
  readonly added: readonly (EntryPatch & { readonly content: string })[];
  readonly changed: readonly {
    readonly entry_id: string;
    readonly name: string;
    readonly fields: readonly string[];
    readonly patch: EntryPatch;
  }[];
  readonly removed: readonly { readonly entry_id: string; readonly name: string }[];
  readonly same: number;
  readonly errors: readonly ({ readonly index: number } & ItemFailure)[];
}

interface Imported extends ListedWarnings {
  readonly book: Book;
  readonly imported_entries: number;
  readonly failed_entries: number;
}

const BOOKS_PATH = "/api/world-books";
const BOOK_PATH = `${BOOKS_PATH}/{book_id}` as const;
const ENTRY_PATH = `${BOOK_PATH}/entries/{entry_id}` as const;
const PAGE_SIZE = 500;
const CONCURRENCY = 4;

export const books = {
  list: (q: string) => parley.get(BOOKS_PATH, { query: { ...MAX_LIMIT_QUERY, ...(q !== "" && { q }) } }),
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
    api.get<object>(`${BOOKS_PATH}/export/${encodeURIComponent(book_id)}?format=${format}`),
  import: (content: object, name: string) =>
    api.post<Imported>(`${BOOKS_PATH}/import${name === "" ? "" : `?name=${encodeURIComponent(name)}`}`, content),
  compare: (book_id: string, content: object) =>
    api.post<Comparison>(`${BOOKS_PATH}/${encodeURIComponent(book_id)}/compare`, content),
  /** Every entry, however many. */
  async entries(book_id: string, signal: AbortSignal): Promise<readonly Entry[]> {
    const entryById = new Map<string, Entry>();
    for (let offset = 0; ; offset += PAGE_SIZE) {
      const at = `${BOOKS_PATH}/${encodeURIComponent(book_id)}/entries?limit=${PAGE_SIZE}&offset=${offset}`;
      const { items, total } = await api.get<Listed<Entry>>(at, signal);
      for (const item of items) entryById.set(item.id, item);
      if (items.length < PAGE_SIZE || offset + PAGE_SIZE >= total) return [...entryById.values()];
    }
  },
  addEntry: (book_id: string, body: EntryPatch & { readonly content: string }) =>
    parley.post(`${BOOK_PATH}/entries`, { path: { book_id }, body: body as never }),
  addEntries: (book_id: string, drafts: readonly object[]) =>
    parley.post(`${BOOK_PATH}/entries/batch`, { path: { book_id }, body: { entries: [...drafts] } }),
  updateEntry: (book_id: string, entry_id: string, body: EntryPatch, ifMatch?: number) =>
    parley.put(ENTRY_PATH, {
      path: { book_id, entry_id },
      body: body as never,
      ifMatch,
    }),
  removeEntry: (book_id: string, entry_id: string) => parley.delete(ENTRY_PATH, { path: { book_id, entry_id } }),
  generate: (book_id: string, body: { readonly topic: string; readonly count: number }) =>
    api.post<{ readonly created: number }>(`${BOOKS_PATH}/${encodeURIComponent(book_id)}/ai-generate`, body),
  tryOut: (body: TrialRequest) => parley.post(`${BOOKS_PATH}/test-match`, { body: body as never }),
};

/** Does the same with many, some at a time; stops at the first that fails. */
export async function forEachConcurrent<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, next));
}
