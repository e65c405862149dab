import Joi from "@hapi/joi";
import { type Clock, type RouteTable, reply, route, type TextIndex, type TextSpace } from "@parley/core";
import { resolveWithin } from "@parley/core/async";
import { envelopeOf } from "@parley/core/http";
import type { DocumentStore } from "./documents/document-store.ts";
import type { Documents } from "./documents/documents.ts";
import { createExport } from "./import/export.ts";
import type { Importer } from "./import/importer.ts";
import type { Indexing } from "./indexing/indexing.ts";
import type { Rebuild } from "./indexing/rebuild.ts";
import {
  batchBody,
  batchDeleteBody,
  batchDeleteData,
  batchImported,
  exportData,
  exportQuery,
  importStartedData,
  indexData,
  pageBody,
  passagesData,
  promptData,
  rebuildAccepted,
  rebuildBody,
  rebuildData,
  searchBody,
  searchData,
  statsData,
  uploadBody,
} from "./schema.ts";
import { type KnowledgeSearch, toHeading } from "./search/search.ts";
import { toCitation, toPromptText } from "./search/turn-stages.ts";
import { collectStats } from "./stats.ts";

const basePath = "/api/knowledge";
const MEBIBYTE = 1024 * 1024;
/** Maximum milliseconds an answer waits for vectors or a rebuild. */
const MAX_WAIT_MS = 120_000;

export interface RouteDeps {
  readonly store: DocumentStore;
  readonly documents: Documents;
  readonly indexing: Indexing;
  readonly rebuild: Rebuild;
  readonly importing: Importer;
  readonly search: KnowledgeSearch;
  readonly index: () => TextIndex;
  readonly space: () => TextSpace;
  readonly clock: Clock;
}

/** Creates the routes besides CRUD of documents. */
export function createKnowledgeRoutes(deps: RouteDeps): RouteTable {
  const { store, documents, indexing, rebuild, importing, search, space, clock } = deps;
  return [
    route({
      method: "POST",
      path: `${basePath}/{doc_id}/index`,
      summary: "compute the vectors of a document again",
      scope: "write",
      data: indexData,
      timeoutMs: MAX_WAIT_MS,
      // The signal of the request is not passed on, because others may wait for the same run.
      run: ({ params }) =>
        indexing.index(params.doc_id, { resplit: () => documents.resplit(params.doc_id, { isQueued: true }) }),
    }),
    route({
      method: "GET",
      path: `${basePath}/{doc_id}/passages`,
      summary: "the passages of a document",
      scope: "read",
      data: passagesData,
      async run({ params }) {
        const { title } = await store.get(params.doc_id);
        const entries = await space().entriesOf(params.doc_id);
        const items = entries.map(({ id, place, text, title: whole }) => ({
          chunk_id: id,
          chunk_index: place,
          heading: toHeading(whole, title),
          chunk: text,
        }));
        return { doc_id: params.doc_id, items };
      },
    }),
    route({
      method: "POST",
      path: `${basePath}/batch`,
      summary: "import documents",
      scope: "write",
      payload: "json-or-file",
      maxBytes: 50 * MEBIBYTE,
      timeoutMs: MAX_WAIT_MS,
      body: batchBody,
      data: batchImported,
      run: ({ body }) => documents.createAll(body),
    }),
    route({
      method: "POST",
      path: `${basePath}/files`,
      summary: "queue files to be read into documents",
      scope: "write",
      payload: "upload",
      body: uploadBody,
      data: importStartedData,
      timeoutMs: 600_000,
      run: ({ upload, signal }) => importing.importUpload(upload, signal),
    }),
    route({
      method: "POST",
      path: `${basePath}/pages`,
      summary: "queue a page of the web to be read into a document",
      scope: "write",
      body: pageBody,
      data: importStartedData,
      run: ({ body: { url, ...options } }) => importing.importPage(url, options),
    }),
    route({
      method: "POST",
      path: `${basePath}/batch-delete`,
      summary: "delete documents",
      scope: "write",
      body: batchDeleteBody,
      data: batchDeleteData,
      run: ({ body }) => documents.removeAll(body.doc_ids),
    }),
    route({
      method: "GET",
      path: `${basePath}/stats`,
      summary: "get the number of documents and the progress of the index",
      scope: "read",
      data: statsData,
      run: () => collectStats(deps),
    }),
    route({
      method: "POST",
      path: `${basePath}/search`,
      summary: "search the documents",
      scope: "read",
      body: searchBody,
      data: searchData,
      run: ({ body, signal }) => search.answer(body, signal),
    }),
    route({
      method: "POST",
      path: `${basePath}/preview`,
      summary: "preview the passages that the model would get for a question",
      scope: "read",
      body: previewBody,
      data: promptData,
      async run({ body, signal }) {
        const citations = await search.findForPrompt(body.query, signal);
        return { text: toPromptText(citations.map(toCitation)), citations };
      },
    }),
    route({
      method: "POST",
      path: `${basePath}/rebuild`,
      summary: "rebuild the index",
      scope: "write",
      body: rebuildBody,
      data: rebuildData,
      accepted: rebuildAccepted,
      timeoutMs: false,
      async run({ body }) {
        const { total, outcome } = await rebuild.begin();
        const done = body.wait ? await resolveWithin(outcome, MAX_WAIT_MS) : undefined;
        return done ?? reply({ data: { state: "running", total }, status: 202 });
      },
    }),
    route({
      method: "GET",
      path: `${basePath}/export`,
      summary: "all documents",
      scope: "read",
      reply: "raw",
      query: exportQuery,
      data: { "application/json": Joi.alternatives(envelopeOf(exportData), exportData) },
      timeoutMs: false,
      run: ({ query }) => createExport(store, query, clock.now()),
    }),
  ];
}

const previewBody = Joi.object<{ readonly query: string }>({ query: Joi.string().trim().min(1).max(2_000).required() });
