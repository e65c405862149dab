import type { ListedWarnings, LocalizedError } from "@parley/core";
import { api, type Listed, query, uploadForm } from "../../shared/api/client.ts";
import type { FolderFile } from "../../shared/files/files-in-folders.ts";

export interface KnowledgeDocument {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly tags: readonly string[];
  readonly base_id: string;
  readonly preview: string;
  readonly size: number;
  readonly chunk_count: number;
  readonly index_status: "pending" | "indexing" | "indexed" | "failed" | "stale";
  readonly index_error: string | null;
  readonly index_error_detail: NonNullable<LocalizedError["detail"]> | null;
  readonly updated_at: string;
}

export interface Passage {
  readonly chunk_id: string;
  readonly chunk_index: number;
  readonly heading: string;
  readonly chunk: string;
}

export interface Hit extends Passage {
  readonly doc_id: string;
  readonly title: string;
  readonly score: number;
  readonly similarity: number;
  readonly text_score: number;
  readonly marks: readonly (readonly [number, number])[];
  readonly why: {
    readonly terms: readonly { readonly term: string; readonly weight: number; readonly inTitle: boolean }[];
    readonly boosts: readonly {
      readonly name: "phrase" | "coverage" | "time" | "speaker";
      readonly factor: number;
    }[];
    readonly rerank?:
      | { readonly model: string; readonly before: number }
      | { readonly problem: string; readonly problem_detail?: LocalizedError["detail"] };
  };
}

export interface Stats {
  readonly total_documents: number;
  readonly total_chunks: number;
  readonly total_chars: number;
  readonly failed: number;
  readonly bases: Readonly<Record<string, number>>;
  readonly embedding: {
    readonly model: string;
    readonly local: boolean;
    readonly compared_by: "index" | "each";
    readonly comparison: string;
    readonly comparison_detail?: LocalizedError["detail"] | null;
  };
  readonly rebuild: { readonly running: boolean; readonly done: number; readonly total: number };
}

export interface IngestJob {
  readonly id: string;
  readonly status: "waiting" | "running" | "done" | "dead" | "canceled";
  readonly progress: number | null;
  readonly progress_text: string;
  readonly error: LocalizedError | null;
  readonly finished_at: string | null;
}

interface StartedJobs {
  readonly items: readonly { readonly job_id: string; readonly name: string }[];
}

const documentPath = (id: string) => `/api/knowledge/${encodeURIComponent(id)}`;

export const knowledge = {
  list: (asked: { readonly q: string; readonly base_id: string; readonly limit: number }) =>
    api.get<Listed<KnowledgeDocument>>(`/api/knowledge?${query(asked)}`),
  stats: () => api.get<Stats>("/api/knowledge/stats"),
  passages: (id: string) => api.get<{ readonly items: readonly Passage[] }>(`${documentPath(id)}/passages`),
  create: (draft: object) => api.post("/api/knowledge", draft),
  remove: (id: string) => api.remove(documentPath(id)),
  index: (id: string) => api.post(`${documentPath(id)}/index`),
  rebuild: () => api.post("/api/knowledge/rebuild", { wait: false }),
  search: (asked: object) =>
    api.post<ListedWarnings & { readonly items: readonly Hit[] }>("/api/knowledge/search", asked),
  preview: (question: string) => api.post<{ readonly text: string }>("/api/knowledge/preview", { query: question }),
  page: (body: object) => api.post<StartedJobs>("/api/knowledge/pages", body),
  jobs: () => api.get<Listed<IngestJob>>("/api/jobs?kind=knowledge.import&limit=20"),
};

/** Uploads files; jobs turn them into documents, which replace those of the same path. */
export function uploadFiles(files: readonly FolderFile[], base: string) {
  return uploadForm("/api/knowledge/files", [
    ["base_id", base],
    ...files.map(({ file, path }) => ["file", file, path] as const),
  ]);
}
