import { type Clock, newId, type TextEntry, type TextIndex, type TextSpace, type Write } from "@parley/core";
import type { Indexing } from "../indexing/indexing.ts";
import type { DocumentDraft, DocumentFields } from "../schema.ts";
import type { DocumentStore, StoredDocument } from "./document-store.ts";
import { checkSize, toInitialState, toLabels } from "./drafts.ts";

export interface DocumentVersionsDeps {
  readonly store: DocumentStore;
  readonly index: () => TextIndex;
  readonly space: () => TextSpace;
  readonly indexing: () => Indexing;
  readonly clock: Clock;
}

/** A document with the writes that store it; `applied` is called once they are stored. */
export interface PreparedDocument {
  readonly document: StoredDocument;
  readonly writes: readonly Write[];
  applied(): void;
}

/** Prepares the writes of new and changed documents with their passages; stores nothing itself. */
export interface DocumentVersions {
  prepareNew(draft: DocumentDraft): Promise<PreparedDocument>;
  /** Splits the text again if text or title has changed; otherwise passages and vectors stay. */
  prepareChange(before: StoredDocument, patch: Partial<DocumentFields>): Promise<PreparedDocument>;
  /** Splits an unchanged text again; with `isQueued`, the writes include the job that computes the vectors. */
  prepareSplit(before: StoredDocument, isQueued: boolean): Promise<PreparedDocument>;
}

export function createDocumentVersions(deps: DocumentVersionsDeps): DocumentVersions {
  const { store, index, space, indexing, clock } = deps;
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
  const prepareNew = async (draft: DocumentDraft) => {
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
  const prepareChange = async (before: StoredDocument, patch: Partial<DocumentFields>) => {
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
    return { document: after, writes, applied() {} };
  };
  /** Returns the same passages with new labels under the same ids, so that their vectors stay. */
  const relabel = async (document: StoredDocument): Promise<readonly TextEntry[]> => {
    const known = await space().entriesOf(document.id);
    const time = Date.parse(document.created_at);
    return known.map((entry) => ({ ...entry, group: document.id, time, labels: toLabels(document) }));
  };
  const prepareSplit = async (before: StoredDocument, isQueued: boolean) => {
    const entries = await createPassages(before);
    const text_version = before.text_version + 1;
    const after = { ...before, text_version, chunk_count: entries.length, index_status: "stale" as const };
    const { document, writes, applied } = isQueued
      ? await indexing().prepareNew(after)
      : { document: after, writes: [], applied() {} };
    const { chunk_count, index_status, index_error, index_model, made_by } = document;
    const state = { text_version, chunk_count, index_status, index_error, index_model, made_by };
    const all = [
      store.setStateWrite(before.id, before.text_version, state),
      ...(await space().replacing(before.id, entries)),
      ...writes,
    ];
    return { document, writes: all, applied };
  };
  return { prepareNew, prepareChange, prepareSplit };
}
