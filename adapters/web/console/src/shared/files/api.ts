import { parley, type Shapes, toUrl, uploadForm } from "../api/client.ts";

export type WorkspaceItem = Shapes["WorkspaceItem"];

/** The session that owns the files; undefined for the shared files. */
export type Workspace = string | undefined;

const SHARED_PATH = "/api/workspace/shared";
const OWN_PATH = "/api/sessions/{session_id}/workspace";
const SHARED_FILE_PATH = `${SHARED_PATH}/files/{filename}` as const;
const OWN_FILE_PATH = `${OWN_PATH}/files/{filename}` as const;

export const toFileUrl = (place: Workspace, filename: string) =>
  place === undefined ? toUrl(SHARED_FILE_PATH, { filename }) : toUrl(OWN_FILE_PATH, { session_id: place, filename });

export const workspace = {
  list(place: Workspace, { path, q, limit }: { readonly path: string; readonly q: string; readonly limit: number }) {
    const query = { path, limit, recursive: q !== "", ...(q !== "" && { q }) };
    return place === undefined
      ? parley.get(`${SHARED_PATH}/files`, { query })
      : parley.get(`${OWN_PATH}/files`, { path: { session_id: place }, query });
  },
  createFolder: (place: Workspace, path: string, name: string) =>
    place === undefined
      ? parley.post(`${SHARED_PATH}/folders`, { body: { name, path } })
      : parley.post(`${OWN_PATH}/folders`, { path: { session_id: place }, body: { name, path } }),
  remove(place: Workspace, filename: string) {
    const query = { recursive: true };
    return place === undefined
      ? parley.delete(SHARED_FILE_PATH, { path: { filename }, query })
      : parley.delete(OWN_FILE_PATH, { path: { session_id: place, filename }, query });
  },
  move(place: Workspace, filename: string, target: string, name?: string) {
    const body = { target, ...(name !== undefined && { new_name: name }) };
    return place === undefined
      ? parley.post(`${SHARED_FILE_PATH}/move`, { path: { filename }, body })
      : parley.post(`${OWN_FILE_PATH}/move`, { path: { session_id: place, filename }, body });
  },
  share: (session_id: string, filename: string) =>
    parley.post(`${OWN_FILE_PATH}/move-to-shared`, { path: { session_id, filename } }),
  preview: (place: Workspace, filename: string) =>
    place === undefined
      ? parley.get(SHARED_FILE_PATH, { path: { filename }, query: { preview: true } })
      : parley.get(`${OWN_FILE_PATH}/preview`, { path: { session_id: place, filename } }),
  listDeleted: () => parley.get("/api/workspace/trash", { query: { limit: 100 } }),
  restore: (trash_id: string) => parley.post("/api/workspace/trash/{trash_id}/restore", { path: { trash_id } }),
  deletePermanently: (trash_id: string) => parley.delete("/api/workspace/trash/{trash_id}", { path: { trash_id } }),
};

/** Uploads files into a folder. */
export function uploadFiles(place: Workspace, path: string, files: readonly File[]) {
  const parts = [["path", path] as const, ...files.map((file) => ["file", file] as const)];
  return place === undefined
    ? uploadForm(`${SHARED_PATH}/upload`, parts)
    : uploadForm(`${OWN_PATH}/upload`, parts, { path: { session_id: place } });
}
