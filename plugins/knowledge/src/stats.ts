import type { TextIndex } from "@parley/core";
import type { DocumentStore } from "./documents/document-store.ts";
import type { Indexing } from "./indexing/indexing.ts";
import type { Rebuild } from "./indexing/rebuild.ts";
import { INDEX_STATUSES } from "./schema.ts";

export interface StatsDeps {
  readonly store: DocumentStore;
  readonly indexing: Indexing;
  readonly rebuild: Rebuild;
  readonly index: () => TextIndex;
}

/** Returns counts of documents and the state of the index. */
export async function collectStats({ store, indexing, rebuild, index }: StatsDeps): Promise<object> {
  const { by, detail, told } = await index().comparing();
  const { status, bases, chunks, chars } = await store.getTotals();
  return {
    total_documents: Object.values(status).reduce((sum, one) => sum + one, 0),
    ...Object.fromEntries(INDEX_STATUSES.map((name) => [name, status[name] ?? 0])),
    total_chunks: chunks,
    total_chars: chars,
    bases,
    embedding: {
      ...(await indexing.describeModel()),
      compared_by: by,
      comparison: detail,
      comparison_detail: told ?? null,
    },
    rebuild: rebuild.getState(),
  };
}
