import {
  AppError,
  type ChangeRequest,
  type Clock,
  checkRevision,
  type Database,
  type ItemFailure,
  type LiveEvents,
  limitRows,
  notFound,
  type ResourceRecords,
  resourceChanged,
  type TextIndex,
  type TextSpace,
  toItemFailure,
  toSharedError,
  type Write,
} from "@parley/core";
import { type ImportedItems, importEach } from "@parley/core/transfer";
import type { Indexing } from "../indexing/indexing.ts";
import {
  type BatchBody,
  type Document,
  type DocumentDraft,
  type DocumentFields,
  type ListQuery,
  MAX_DOCUMENTS,
} from "../schema.ts";
import type { DocumentStore, StoredDocument } from "./document-store.ts";
import { createDocumentVersions } from "./document-versions.ts";
import { parseDraft, readTitle } from "./drafts.ts";

const MAX_CONFLICT_RETRIES = 10;
/** Number of documents of a batch that are processed at the same time. */
const BATCH_CONCURRENCY = 64;
const DOCUMENTS = { en: "documents", zh: "文档" };

export interface DocumentsDeps {
  readonly store: DocumentStore;
  readonly database: () => Database;
  readonly index: () => TextIndex;
  readonly space: () => TextSpace;
  readonly indexing: () => Indexing;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export type BatchOutcome = ImportedItems<{ readonly id: string; readonly title: string }, { readonly title: string }>;

export interface Documents {
  readonly records: ResourceRecords<DocumentFields>;
  create(draft: DocumentDraft): Promise<Document>;
  /** Stores a document, replacing earlier ones of the same source and collection in one transaction. */
  put(draft: DocumentDraft): Promise<Document>;
  remove(id: string, ifMatch?: number): Promise<void>;
  /** Creates documents independently: failures are reported, and the others are stored. */
  createAll(body: BatchBody): Promise<BatchOutcome>;
  removeAll(ids: readonly string[]): Promise<{
    readonly deleted: number;
    readonly failed: number;
    readonly ids: readonly string[];
    readonly errors: readonly ({ readonly index: number; readonly id: string } & ItemFailure)[];
  }>;
  /**
   * Splits a document into passages again, as a new version, and returns its number. The caller computes the vectors,
   * or with `isQueued` a job that is stored in the same transaction.
   */
  resplit(id: string, how?: { readonly isQueued: boolean }): Promise<number>;
}

export function createDocuments(deps: DocumentsDeps): Documents {
  const { store, database, space, indexing, events } = deps;
  const { prepareNew, prepareChange, prepareSplit } = createDocumentVersions(deps);
  const create = async (draft: DocumentDraft) => {
    const { document, writes, applied } = await prepareNew(draft);
    await database().write([...writes, limitRows("knowledge_documents", MAX_DOCUMENTS, DOCUMENTS)]);
    applied();
    events.publish(resourceChanged("document", document.id, "created", 1));
    return waitForIndex(document, draft.wait_index);
  };
  const waitForIndex = async (document: StoredDocument, isAwaited = false): Promise<Document> => {
    if (!isAwaited || document.index_status === "indexed") return toDocument(document);
    // A provider error is stored at the document, which is stored in any case.
    await indexing().index(document.id).catch(ignoreAppError);
    return toDocument(await store.get(document.id));
  };
  const change = async (id: string, patch: Partial<DocumentDraft>, { ifMatch }: Partial<ChangeRequest> = {}) => {
    const { wait_index, ...fields } = patch;
    if (Object.keys(fields).length === 0) throw toSharedError("bad_request", "nothing_to_update", {});
    for (let tried = 1; ; tried += 1) {
      const before = await store.get(id);
      checkRevision(before, ifMatch);
      const { document, writes, applied } = await prepareChange(before, fields);
      if (!(await tryWrite(writes, tried))) continue;
      applied();
      events.publish(resourceChanged("document", id, "updated", document.revision));
      return waitForIndex(document, wait_index);
    }
  };
  /** Writes, and returns true; returns false when another change came first and must be merged. */
  const tryWrite = async (writes: readonly Write[], tried: number) => {
    try {
      await database().write(writes);
      return true;
    } catch (error) {
      if (!AppError.is(error) || error.code !== "conflict" || tried >= MAX_CONFLICT_RETRIES) throw error;
      return false;
    }
  };
  const prepareRemoval = async (ids: readonly string[], ifMatch?: number) => [
    ...store.removeWrites(ids, ifMatch),
    ...(await space().removing(ids)),
  ];
  const remove = async (id: string, ifMatch?: number) => {
    checkRevision(await store.get(id), ifMatch);
    const [removed] = await database().write(await prepareRemoval([id], ifMatch));
    if (removed?.changes === 0) throw notFound("document", id);
    events.publish(resourceChanged("document", id, "deleted"));
  };

  return {
    create,
    remove,
    async put(draft) {
      const before = await store.findIdsBySource(draft.source, draft.base_id);
      if (before.length === 0) return create(draft);
      const { document, writes, applied } = await prepareNew(draft);
      await database().write([...(await prepareRemoval(before)), ...writes]);
      applied();
      for (const id of before) events.publish(resourceChanged("document", id, "deleted"));
      events.publish(resourceChanged("document", document.id, "created", 1));
      return toDocument(document);
    },
    createAll: ({ documents, base_id }) =>
      importEach(documents, {
        async importOne(given) {
          const { id, title } = await create(parseDraft(given, base_id));
          return { id, title };
        },
        describe: (given) => ({ title: readTitle(given) }),
        concurrency: BATCH_CONCURRENCY,
      }),
    async removeAll(ids) {
      const wanted = [...new Set(ids)];
      const there = await store.findListed(wanted);
      const known = wanted.filter((id) => there.has(id));
      if (known.length > 0) await database().write(await prepareRemoval(known));
      for (const id of known) events.publish(resourceChanged("document", id, "deleted"));
      const errors = wanted
        .filter((id) => !there.has(id))
        .map((id) => ({ index: ids.indexOf(id), id, ...toItemFailure(notFound("document", id)) }));
      return { deleted: known.length, failed: errors.length, ids: known, errors };
    },
    async resplit(id, { isQueued } = { isQueued: false }) {
      for (let tried = 1; ; tried += 1) {
        const { document, writes, applied } = await prepareSplit(await store.get(id), isQueued);
        if (!(await tryWrite(writes, tried))) continue;
        applied();
        return document.text_version;
      }
    },
    records: {
      page: (query) => store.page(query as unknown as ListQuery) as never,
      get: async (id) => toDocument(await store.get(id)),
      create: (draft) => create(draft as DocumentDraft),
      change: (id, patch, request) => change(id, patch, request),
      remove: (id, { ifMatch }) => remove(id, ifMatch),
    },
  };
}

function toDocument({ text_version: _version, made_by: _by, ...document }: StoredDocument): Document {
  return document;
}

/** Ignores provider errors (`AppError`); rethrows internal ones. */
function ignoreAppError(error: unknown): void {
  if (!AppError.is(error)) throw error;
}
