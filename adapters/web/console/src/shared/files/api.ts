import { api, fetchData, type Listed, query, type Shapes, uploadForm } from "../api/client.ts";

export type WorkspaceItem = Shapes["WorkspaceItem"];
export type Preview = Shapes["FilePreview"];
export type Deleted = Shapes["DeletedFile"];

/** Undefined: the files that all share. */
export type Workspace = string | undefined;

const workspacePath = (place: Workspace) =>
  place === undefined ? "/api/workspace/shared" : `/api/sessions/${encodeURIComponent(place)}/workspace`;

export const fileUrl = (place: Workspace, path: string) => `${workspacePath(place)}/files/${encodeURIComponent(path)}`;

export const workspace = {
  list: (place: Workspace, asked: { readonly path: string; readonly q: string; readonly limit: number }) =>
    api.get<Listed<WorkspaceItem>>(`${workspacePath(place)}/files?${query({ ...asked, recursive: asked.q !== "" })}`),
  makeFolder: (place: Workspace, path: string, name: string) =>
    api.post(`${workspacePath(place)}/folders`, { name, path }),
  remove: (place: Workspace, path: string) => api.remove(`${fileUrl(place, path)}?recursive=true`),
  move: (place: Workspace, path: string, target: string, name?: string) =>
    api.post(`${fileUrl(place, path)}/move`, { target, ...(name !== undefined && { new_name: name }) }),
  share: (place: Workspace, path: string) => api.post(`${fileUrl(place, path)}/move-to-shared`),
  preview: (place: Workspace, path: string) =>
    place === undefined
      ? fetchData<Preview>(`${fileUrl(place, path)}?preview=true`)
      : api.get<Preview>(`${fileUrl(place, path)}/preview`),
  deleted: () => api.get<Listed<Deleted>>("/api/workspace/trash?limit=100"),
  putBack: (id: string) => api.post(`/api/workspace/trash/${id}/restore`),
  forget: (id: string) => api.remove(`/api/workspace/trash/${id}`),
};

/** Uploads files into a folder. */
export function uploadFiles(place: Workspace, path: string, files: readonly File[]) {
  const parts = [["path", path] as const, ...files.map((file) => ["file", file] as const)];
  return place === undefined
    ? uploadForm("/api/workspace/shared/upload", parts)
    : uploadForm("/api/sessions/{session_id}/workspace/upload", parts, { path: { session_id: place } });
}
