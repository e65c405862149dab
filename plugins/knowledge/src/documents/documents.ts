import {
  AppError,
  type ChangeRequest,
  type Clock,
  checkRevision,
  type Database,
  type ItemFailure,
  type LiveEvents,
  limitRows,
  newId,
  notFound,
  type ResourceRecords,
  resourceChanged,
  type TextEntry,
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
import { checkSize, parseDraft, readTitle, toInitialState, toLabels } from "./drafts.ts";

const MAX_CONFLICT_RETRIES = 10;
/** Extra writes of a document without any. */
const NO_EXTRA_WRITES: { readonly writes: readonly Write[]; applied(): void } = { writes: [], applied() {} };
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
  /** Stores a document, replacing an earlier one of the same source in one transaction. */
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
  const { store, database, index, space, indexing, events, clock } = deps;
  const createPassages = async ({ id, title, content, tags, base_id, created_at }: StoredDocument) => {
    const passages = await index().passages(content);
    const labels = toLabels({ tags, base_id });
    const time = Date.parse(created_at);
    return passages.map(({ text, headings }, place) => ({
      id: newId("chunk", clock.now()),
      group: id,
      place,
      title: [title, ...headings].join(" › "),
      text,
      time,
      labels,
    }));
  };
  const prepareDocument = async (draft: DocumentDraft) => {
    const { wait_index: _wait, ...fields } = draft;
    checkSize(fields.content);
    const at = new Date(clock.now()).toISOString();
    const id = newId("doc", clock.now());
    const blank: StoredDocument = {
      ...fields,
      ...toInitialState(fields),
      id,
      created_at: at,
      updated_at: at,
      revision: 1,
      text_version: 1,
      made_by: null,
    };
    const entries = await createPassages(blank);
    const { document, writes, applied } = await indexing().prepareNew({ ...blank, chunk_count: entries.length });
    const all = [...store.insertWrites(document), ...(await space().replacing(id, entries)), ...writes];
    return { document, writes: all, applied };
  };
  const create = async (draft: DocumentDraft) => {
    const { document, writes, applied } = await prepareDocument(draft);
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
  const applyPatch = async (before: StoredDocument, patch: Partial<DocumentFields>) => {
    if (patch.content !== undefined) checkSize(patch.content);
    const next = { ...before, ...patch };
    const isText = next.content !== before.content || next.title !== before.title;
    const isLabel = next.base_id !== before.base_id || JSON.stringify(next.tags) !== JSON.stringify(before.tags);
    const after: StoredDocument = {
      ...next,
      ...(isText && toInitialState(next)),
      text_version: before.text_version + (isText ? 1 : 0),
      updated_at: new Date(clock.now()).toISOString(),
      revision: before.revision + 1,
    };
    if (isText) {
      const texts = await createPassages(after);
      const { document, writes, applied } = await indexing().prepareNew({ ...after, chunk_count: texts.length });
      const all = [...store.replaceWrites(before, document), ...(await space().replacing(after.id, texts)), ...writes];
      return { document, writes: all, applied };
    }
    const writes: Write[] = [...store.replaceWrites(before, after)];
    if (isLabel) writes.push(...(await space().replacing(before.id, await relabel(after))));
    return { document: after, writes, applied: NO_EXTRA_WRITES.applied };
  };
  /** Returns the same passages with new labels under the same ids, so that their vectors stay. */
  const relabel = async (document: StoredDocument): Promise<readonly TextEntry[]> => {
    const known = await space().entriesOf(document.id);
    const time = Date.parse(document.created_at);
    return known.map((entry) => ({ ...entry, group: document.id, time, labels: toLabels(document) }));
  };
  const change = async (id: string, patch: Partial<DocumentDraft>, { ifMatch }: Partial<ChangeRequest> = {}) => {
    const { wait_index, ...fields } = patch;
    if (Object.keys(fields).length === 0) throw toSharedError("bad_request", "nothing_to_update", {});
    for (let tried = 1; ; tried += 1) {
      const before = await store.get(id);
      checkRevision(before, ifMatch);
      const { document, writes, applied } = await applyPatch(before, fields);
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
      const { document, writes, applied } = await prepareDocument(draft);
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
        const before = await store.get(id);
        const entries = await createPassages(before);
        const text_version = before.text_version + 1;
        const after = { ...before, text_version, chunk_count: entries.length, index_status: "stale" as const };
        const { document, writes, applied } = isQueued
          ? await indexing().prepareNew(after)
          : { ...NO_EXTRA_WRITES, document: after };
        const { chunk_count, index_status, index_error, index_model, made_by } = document;
        const marked = { text_version, chunk_count, index_status, index_error, index_model, made_by };
        const cut = [store.setStateWrite(id, before.text_version, marked), ...(await space().replacing(id, entries))];
        if (!(await tryWrite([...cut, ...writes], tried))) continue;
        applied();
        return text_version;
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
