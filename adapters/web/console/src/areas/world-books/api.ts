import type { ItemFailure, ListedWarnings } from "@parley/core";
import { ALL, api, type Listed, parley, type Shapes } from "../../shared/api/client.ts";

export type Book = Shapes["WorldBook"];
export type Entry = Shapes["WorldBookEntry"];
export type EntryPatch = Partial<
  Omit<Entry, "id" | "book_id" | "created_at" | "updated_at" | "revision" | "warnings" | "warning_details">
>;
export type Trial = Shapes["WorldBookTestMatch"];
export type Match = Trial["matches"][number];
export type Dropped = Trial["dropped"][number];
export type Format = "native" | "v2" | "v3" | "worldinfo";

export interface TrialRequest {
  readonly message: string;
  readonly recent_messages: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
  readonly scene: Readonly<Record<string, string | readonly string[]>>;
  readonly character_id?: string;
  readonly book_ids?: readonly string[];
}

/** What a newer file would change. */
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

const path = "/api/world-books";
const one = `${path}/{book_id}` as const;
const entry = `${one}/entries/{entry_id}` as const;
const AT_ONCE = 500;
const TOGETHER = 4;

export const books = {
  list: (q: string) => parley.get(path, { query: { ...ALL, ...(q !== "" && { q }) } }),
  get: async (book_id: string) => {
    const { entries: _entries, ...book } = await parley.get(one, { path: { book_id } });
    return book;
  },
  create: (name: string) => parley.post(path, { body: { name } }),
  update: (
    book_id: string,
    body: Partial<Pick<Book, "name" | "description" | "character_ids" | "enabled" | "card">>,
    ifMatch?: number,
  ) => parley.put(one, { path: { book_id }, body, ...(ifMatch !== undefined && { ifMatch }) }),
  remove: (book_id: string) => parley.delete(one, { path: { book_id } }),
  export: (book_id: string, format: Format) =>
    api.get<object>(`${path}/export/${encodeURIComponent(book_id)}?format=${format}`),
  import: (content: object, name: string) =>
    api.post<Imported>(`${path}/import${name === "" ? "" : `?name=${encodeURIComponent(name)}`}`, content),
  compare: (book_id: string, content: object) =>
    api.post<Comparison>(`${path}/${encodeURIComponent(book_id)}/compare`, content),
  /** Every entry, however many. */
  async entries(book_id: string, signal: AbortSignal): Promise<readonly Entry[]> {
    const found = new Map<string, Entry>();
    for (let offset = 0; ; offset += AT_ONCE) {
      const at = `${path}/${encodeURIComponent(book_id)}/entries?limit=${AT_ONCE}&offset=${offset}`;
      const { items, total } = await api.get<Listed<Entry>>(at, signal);
      for (const item of items) found.set(item.id, item);
      if (items.length < AT_ONCE || offset + AT_ONCE >= total) return [...found.values()];
    }
  },
  addEntry: (book_id: string, body: EntryPatch & { readonly content: string }) =>
    parley.post(`${one}/entries`, { path: { book_id }, body: body as never }),
  addEntries: (book_id: string, drafts: readonly object[]) =>
    parley.post(`${one}/entries/batch`, { path: { book_id }, body: { entries: [...drafts] } }),
  updateEntry: (book_id: string, entry_id: string, body: EntryPatch, ifMatch?: number) =>
    parley.put(entry, { path: { book_id, entry_id }, body: body as never, ...(ifMatch !== undefined && { ifMatch }) }),
  removeEntry: (book_id: string, entry_id: string) => parley.delete(entry, { path: { book_id, entry_id } }),
  generate: (book_id: string, body: { readonly topic: string; readonly count: number }) =>
    api.post<{ readonly created: number }>(`${path}/${encodeURIComponent(book_id)}/ai-generate`, body),
  tryOut: (body: TrialRequest) => parley.post(`${path}/test-match`, { body: body as never }),
};

/** Does the same with many, some at a time; stops at the first that fails. */
export async function withEach<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: TOGETHER }, next));
}
