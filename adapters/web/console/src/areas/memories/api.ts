import type { ItemFailure } from "@parley/core";
import { api, type Listed, MAX_LIMIT_QUERY, query, type Shapes } from "../../shared/api/client.ts";

export type Memory = Shapes["Memory"];
export type Kind = Memory["kind"];

/** A person with stored memories, and the character they belong to. */
export interface Person {
  readonly target_id: string | null;
  readonly character_id: string | null;
  readonly character_name: string;
  readonly memories: number;
}

export interface MemoryQuery {
  readonly target_id: string | undefined;
  readonly character_id: string | undefined;
  readonly kind: string | undefined;
  readonly q: string;
  readonly limit: number;
}

/** Form fields of a memory. */
export interface MemoryDraft {
  readonly title: string;
  readonly content: string;
  readonly kind: Kind;
  readonly type: Memory["type"];
  readonly expire_days: number;
  readonly target_id: string | null;
  readonly character_id: string | null;
  readonly priority: Memory["priority"];
  readonly importance: number;
  readonly tags: readonly string[];
}

/** The outcome of a memory import. */
export interface MemoryImport {
  readonly imported: number;
  readonly skipped: number;
  readonly failed: number;
  readonly errors: readonly ({ readonly index: number } & ItemFailure)[];
}

const memoryPath = (id: string) => `/api/memory/${encodeURIComponent(id)}`;

export const memories = {
  list: (asked: MemoryQuery) =>
    api.get<Listed<Memory>>(`/api/memory?${query({ ...asked, replaced: true, sort: "-said_at" })}`),
  people: () => api.get<{ readonly items: readonly Person[] }>("/api/memory/people"),
  characters: () =>
    api.get<Listed<{ readonly id: string; readonly name: string }>>(
      `/api/characters?${query({ ...MAX_LIMIT_QUERY, sort: "name" })}`,
    ),
  create: (draft: Partial<MemoryDraft>) => api.post<Memory>("/api/memory", draft),
  change: (id: string, patch: Partial<MemoryDraft>, ifMatch: number | undefined) =>
    api.call<Memory>("PUT", memoryPath(id), { body: patch, ifMatch }),
  forget: (ids: readonly string[]) => api.post("/api/memory/batch-delete", { ids }),
  import(file: File) {
    const form = new FormData();
    form.set("file", file);
    return api.post<MemoryImport>("/api/memory/import", form);
  },
  merge: (ids: readonly string[], title: string, content: string) =>
    api.post<Memory>("/api/memory/merge", { ids, title, content }),
};

/** Returns the download URL of a memory export. */
export function toExportPath(target_id: string | undefined, character_id: string | undefined): string {
  return `/api/memory/export?${query({ target_id, character_id, download: true })}`;
}
