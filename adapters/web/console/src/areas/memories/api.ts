import { parley, type Shapes, toQueryString, uploadForm } from "../../shared/api/client.ts";
import type { Page } from "../../shared/api/list-pages.ts";

export type Memory = Shapes["Memory"];
export type Kind = Memory["kind"];
export type MemoryImport = Awaited<ReturnType<typeof memories.import>>;

interface MemoryQuery extends Page {
  readonly target_id?: string;
  readonly character_id?: string;
  readonly kind?: Kind;
  readonly q?: string;
}

export type MemoryDraft = Pick<
  Memory,
  | "title"
  | "content"
  | "kind"
  | "type"
  | "expire_days"
  | "target_id"
  | "character_id"
  | "priority"
  | "importance"
  | "tags"
>;

export const QUERY_KEYS = [["memory"]] as const;
const MEMORY_PATH = "/api/memory";

export const memories = {
  list: (params: MemoryQuery) => parley.get(MEMORY_PATH, { query: { ...params, replaced: true, sort: "-said_at" } }),
  listPeople: () => parley.get(`${MEMORY_PATH}/people`),
  create: (body: Partial<MemoryDraft> & Pick<MemoryDraft, "title" | "content">) => parley.post(MEMORY_PATH, { body }),
  change: (memory_id: string, body: Partial<MemoryDraft>, ifMatch: number | undefined) =>
    parley.put(`${MEMORY_PATH}/{memory_id}`, { path: { memory_id }, body, ifMatch }),
  forget: (ids: readonly string[]) => parley.post(`${MEMORY_PATH}/batch-delete`, { body: { ids } }),
  import: (file: File) => uploadForm(`${MEMORY_PATH}/import`, [["file", file]]),
  merge: (ids: readonly string[], title: string, content: string) =>
    parley.post(`${MEMORY_PATH}/merge`, { body: { ids, title, content } }),
};

/** Returns the download URL of a memory export. */
export function toExportPath(target_id: string | undefined, character_id: string | undefined): string {
  return `/api/memory/export?${toQueryString({ target_id, character_id, download: true })}`;
}
