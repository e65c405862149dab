import type { ItemFailure } from "@parley/core";
import { api, fetchData, type Listed, query, type Shapes } from "../api/client.ts";

export type Item = Shapes["WorkspaceItem"];
export type Preview = Shapes["FilePreview"];
export type Deleted = Shapes["DeletedFile"];

/** Undefined: the files that all share. */
export type Place = string | undefined;

const folderOf = (place: Place) =>
  place === undefined ? "/api/workspace/shared" : `/api/sessions/${encodeURIComponent(place)}/workspace`;

export const urlOf = (place: Place, path: string) => `${folderOf(place)}/files/${encodeURIComponent(path)}`;

export const workspace = {
  list: (place: Place, asked: { readonly path: string; readonly q: string; readonly limit: number }) =>
    api.get<Listed<Item>>(`${folderOf(place)}/files?${query({ ...asked, recursive: asked.q !== "" })}`),
  makeFolder: (place: Place, path: string, name: string) => api.post(`${folderOf(place)}/folders`, { name, path }),
  remove: (place: Place, path: string) => api.remove(`${urlOf(place, path)}?recursive=true`),
  move: (place: Place, path: string, target: string, name?: string) =>
    api.post(`${urlOf(place, path)}/move`, { target, ...(name !== undefined && { new_name: name }) }),
  share: (place: Place, path: string) => api.post(`${urlOf(place, path)}/move-to-shared`),
  preview: (place: Place, path: string) =>
    place === undefined
      ? fetchData<Preview>(`${urlOf(place, path)}?preview=true`)
      : api.get<Preview>(`${urlOf(place, path)}/preview`),
  deleted: () => api.get<Listed<Deleted>>("/api/workspace/trash?limit=100"),
  putBack: (id: string) => api.post(`/api/workspace/trash/${id}/restore`),
  forget: (id: string) => api.remove(`/api/workspace/trash/${id}`),
};

interface Uploads {
  readonly items: readonly Item[];
  readonly failed: readonly ({ readonly filename: string } & ItemFailure)[];
}

export async function sendFiles(place: Place, path: string, files: readonly File[]): Promise<Uploads> {
  const form = new FormData();
  form.append("path", path);
  for (const file of files) form.append("file", file);
  return fetchData<Uploads>(`${folderOf(place)}/upload`, { method: "POST", body: form });
}
