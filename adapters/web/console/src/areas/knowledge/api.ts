import type { CallOptions } from "@parley/client";
import { parley, type Shapes, uploadForm } from "../../shared/api/client.ts";
import type { Page } from "../../shared/api/list-pages.ts";
import type { FolderFile } from "../../shared/files/files-in-folders.ts";

export type KnowledgeDocument = Shapes["ListedDocument"];
export type Hit = Shapes["KnowledgeHit"];
export type IngestJob = Shapes["Job"];

const DOCUMENT_PATH = "/api/knowledge/{doc_id}";

export const knowledge = {
  list: ({ q, base_id, ...page }: Page & { readonly q: string; readonly base_id: string }) =>
    parley.get("/api/knowledge", { query: { ...page, ...(q !== "" && { q }), ...(base_id !== "" && { base_id }) } }),
  getStats: () => parley.get("/api/knowledge/stats"),
  listPassages: (doc_id: string) => parley.get(`${DOCUMENT_PATH}/passages`, { path: { doc_id } }),
  create: (body: CallOptions<"post", "/api/knowledge">["body"]) => parley.post("/api/knowledge", { body }),
  remove: (doc_id: string) => parley.delete(DOCUMENT_PATH, { path: { doc_id } }),
  index: (doc_id: string) => parley.post(`${DOCUMENT_PATH}/index`, { path: { doc_id } }),
  rebuild: () => parley.post("/api/knowledge/rebuild", { body: { wait: false } }),
  search: (body: CallOptions<"post", "/api/knowledge/search">["body"]) =>
    parley.post("/api/knowledge/search", { body }),
  preview: (question: string) => parley.post("/api/knowledge/preview", { body: { query: question } }),
  addPage: (body: CallOptions<"post", "/api/knowledge/pages">["body"]) => parley.post("/api/knowledge/pages", { body }),
  listImportJobs: () => parley.get("/api/jobs", { query: { kind: "knowledge.import", limit: 20 } }),
};

/** Uploads files; jobs turn them into documents, which replace those of the same path. */
export function uploadFiles(files: readonly FolderFile[], baseId: string) {
  return uploadForm("/api/knowledge/files", [
    ["base_id", baseId],
    ...files.map(({ file, path }) => ["file", file, path] as const),
  ]);
}
