import type { Call, Seed } from "../calls.ts";

const LIST = ["items", "total", "limit", "offset"];
const GENERATED = JSON.stringify({ entries: [{ name: "Inn", keywords: ["inn"], content: "An old inn." }] });
let count = 0;

type Ids = Readonly<Record<string, string>>;

async function createBook({ api }: Seed): Promise<Ids> {
  const draft = { name: `book ${++count}`, entries: [{ keywords: [`tavern${count}`], content: "An old inn." }] };
  return { book_id: (await api.post<{ id: string }>("/api/world-books", draft)).id };
}
async function createEntry(seed: Seed): Promise<Ids> {
  const ids = await createBook(seed);
  const path = `/api/world-books/${ids.book_id}/entries`;
  return { ...ids, entry_id: (await seed.api.post<{ id: string }>(path, { content: "A secret." })).id };
}
/** Creates a book, and scripts the model that writes its entries. */
async function createWriter(seed: Seed): Promise<Ids> {
  const { api, models } = seed;
  const model = { name: `writer ${++count}`, model: "scripted", base_url: models.baseUrl };
  const { id } = await api.post<{ id: string }>("/api/ai-models", model);
  await api.post(`/api/ai-models/${id}/apply`, {});
  models.script.push({ kind: "text", text: GENERATED });
  return { ...(await createBook(seed)), writer_id: id };
}

/** A working call of every route of world books. */
export const WORLD_BOOK_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/world-books": { gives: LIST },
  "POST /api/world-books": { body: { name: "a book" }, gives: ["id", "entry_count"] },
  "GET /api/world-books/{book_id}": { params: createBook, gives: ["id", "entries", "entries_truncated"] },
  "PUT /api/world-books/{book_id}": { params: createBook, body: { description: "other" }, gives: ["id", "revision"] },
  "DELETE /api/world-books/{book_id}": { params: createBook, gives: ["id", "deleted"] },
  "GET /api/world-books/{book_id}/entries": { params: createBook, gives: LIST },
  "POST /api/world-books/{book_id}/entries": {
    params: createBook,
    body: { content: "A hidden door." },
    gives: ["id", "book_id", "warnings"],
  },
  "PUT /api/world-books/{book_id}/entries/{entry_id}": {
    params: createEntry,
    body: { priority: 7 },
    gives: ["id", "priority", "revision"],
  },
  "DELETE /api/world-books/{book_id}/entries/{entry_id}": { params: createEntry, gives: ["id", "deleted"] },
  "POST /api/world-books/{book_id}/entries/batch": {
    params: createBook,
    body: { entries: [{ content: "One." }] },
    gives: ["created", "failed", "items", "errors"],
  },
  "POST /api/world-books/{book_id}/ai-generate": {
    params: createWriter,
    body: { topic: "a port" },
    gives: ["created", "items", "usage"],
    after: async ({ models }) => models.script.splice(0),
  },
  "POST /api/world-books/{book_id}/compare": {
    params: createBook,
    body: { entries: [{ keys: ["inn"], content: "An inn.", extensions: {} }] },
    gives: ["added", "changed", "removed", "same", "errors", "warnings"],
    except: { unknownKey: "cards and files may say more" },
  },
  "POST /api/world-books/test-match": {
    body: { message: "I walk into the tavern" },
    gives: ["mode", "matches", "dropped", "injected_chars"],
  },
  "GET /api/world-books/export/{book_id}": { params: createBook, gives: ["version", "type", "world_book"] },
  "POST /api/world-books/import": {
    body: { name: "old", entries: [{ keys: ["inn"], content: "An inn.", extensions: {} }] },
    gives: ["book", "imported_entries", "failed_entries", "errors", "warnings"],
    except: { unknownKey: "cards and files may say more" },
  },
  "GET /api/world-books/export-all": { gives: ["version", "total", "world_books"] },
  "POST /api/world-books/import-all": {
    body: { type: "world_books_bundle", version: 1, world_books: [{ name: "old", entries: [] }] },
    gives: ["imported", "failed", "items", "errors"],
    except: { unknownKey: "files of newer services may say more" },
  },
};
