import { parley, type Shapes, toUrl, uploadForm } from "../api/client.ts";
import type { Page } from "../api/list-pages.ts";

export type WorkspaceItem = Shapes["WorkspaceItem"];

/** Id of the session that owns the files; undefined for the shared files. */
export type FileOwner = string | undefined;

const SHARED_PATH = "/api/workspace/shared";
const OWN_PATH = "/api/sessions/{session_id}/workspace";
const SHARED_FILE_PATH = `${SHARED_PATH}/files/{filename}` as const;
const OWN_FILE_PATH = `${OWN_PATH}/files/{filename}` as const;

export const toFileUrl = (owner: FileOwner, filename: string) =>
  owner === undefined ? toUrl(SHARED_FILE_PATH, { filename }) : toUrl(OWN_FILE_PATH, { session_id: owner, filename });

interface FileQuery extends Page {
  readonly path: string;
  readonly q: string;
}

export const workspace = {
  list(owner: FileOwner, { q, ...where }: FileQuery) {
    const query = { ...where, recursive: q !== "", ...(q !== "" && { q }) };
    return owner === undefined
      ? parley.get(`${SHARED_PATH}/files`, { query })
      : parley.get(`${OWN_PATH}/files`, { path: { session_id: owner }, query });
  },
  createFolder: (owner: FileOwner, path: string, name: string) =>
    owner === undefined
      ? parley.post(`${SHARED_PATH}/folders`, { body: { name, path } })
      : parley.post(`${OWN_PATH}/folders`, { path: { session_id: owner }, body: { name, path } }),
  remove(owner: FileOwner, filename: string) {
    const query = { recursive: true };
    return owner === undefined
      ? parley.delete(SHARED_FILE_PATH, { path: { filename }, query })
      : parley.delete(OWN_FILE_PATH, { path: { session_id: owner, filename }, query });
  },
  move(owner: FileOwner, filename: string, target: string, name?: string) {
    const body = { target, ...(name !== undefined && { new_name: name }) };
    return owner === undefined
      ? parley.post(`${SHARED_FILE_PATH}/move`, { path: { filename }, body })
      : parley.post(`${OWN_FILE_PATH}/move`, { path: { session_id: owner, filename }, body });
  },
  share: (session_id: string, filename: string) =>
    parley.post(`${OWN_FILE_PATH}/move-to-shared`, { path: { session_id, filename } }),
  preview: (owner: FileOwner, filename: string) =>
    owner === undefined
      ? parley.get(SHARED_FILE_PATH, { path: { filename }, query: { preview: true } })
      : parley.get(`${OWN_FILE_PATH}/preview`, { path: { session_id: owner, filename } }),
  listDeleted: (page: Page) => parley.get("/api/workspace/trash", { query: page }),
  restore: (trash_id: string) => parley.post("/api/workspace/trash/{trash_id}/restore", { path: { trash_id } }),
  deletePermanently: (trash_id: string) => parley.delete("/api/workspace/trash/{trash_id}", { path: { trash_id } }),
};

/** Uploads files into a folder. */
export function uploadFiles(owner: FileOwner, path: string, files: readonly File[]) {
  const parts = [["path", path] as const, ...files.map((file) => ["file", file] as const)];
  return owner === undefined
    ? uploadForm(`${SHARED_PATH}/upload`, parts)
    : uploadForm(`${OWN_PATH}/upload`, parts, { path: { session_id: owner } });
}
