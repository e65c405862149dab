import type { TextIndex } from "@parley/core";
import type { DocumentStore } from "./document-store.ts";
import type { Indexing } from "./indexing.ts";
import type { Rebuild } from "./rebuild.ts";
import { INDEX_STATUSES } from "./schema.ts";

export interface StatsParts {
  readonly store: DocumentStore;
  readonly indexing: Indexing;
  readonly rebuild: Rebuild;
  readonly index: () => TextIndex;
}

/** How many documents there are, and how far their index is. */
export async function statsOf({ store, indexing, rebuild, index }: StatsParts): Promise<object> {
  const { by, detail, told } = await index().comparing();
  const { status, bases, chunks, chars } = await store.totals();
  return {
    total_documents: Object.values(status).reduce((sum, one) => sum + one, 0),
    ...Object.fromEntries(INDEX_STATUSES.map((name) => [name, status[name] ?? 0])),
    total_chunks: chunks,
    total_chars: chars,
    bases,
    embedding: {
      ...(await indexing.described()),
      compared_by: by,
      compared_detail: detail,
      compared_told: told ?? null,
    },
    rebuild: rebuild.state(),
  };
}
