import type { DocumentStore } from "./document-store.ts";
import type { Indexing } from "./indexing.ts";
import type { Rebuild } from "./rebuild.ts";
import { INDEX_STATUSES } from "./schema.ts";

/** How many documents there are, and how far their index is. */
export async function statsOf(store: DocumentStore, indexing: Indexing, rebuild: Rebuild): Promise<object> {
  const { status, bases, chunks, chars } = await store.totals();
  return {
    total_documents: Object.values(status).reduce((sum, one) => sum + one, 0),
    ...Object.fromEntries(INDEX_STATUSES.map((name) => [name, status[name] ?? 0])),
    total_chunks: chunks,
    total_chars: chars,
    bases,
    embedding: await indexing.described(),
    rebuild: rebuild.state(),
  };
}
