import { api, fetchData, type Listed } from "../../shared/api/client.ts";
import type { HttpImplementation, StaticImplementation } from "../../shared/tools/request-draft.ts";

export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly aliases: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly implementation: HttpImplementation | StaticImplementation | { readonly type: "prompt" };
  readonly revision: number;
  readonly enabled: boolean;
  readonly has_storage: boolean;
}

export interface SkillFile {
  readonly path: string;
  readonly size: number;
  readonly type: string;
}

export interface SkillContent {
  readonly name: string;
  readonly files: readonly SkillFile[];
}

export interface FileContent {
  readonly content: string;
  readonly encoding: "utf8" | "base64";
  readonly size: number;
  readonly etag: string;
}

const skillPath = (id: string) => `/api/skills/${encodeURIComponent(id)}`;
const storagePath = (name: string) => `/api/skills/storage/${encodeURIComponent(name)}`;
export const fileUrl = (name: string, path: string) => `${storagePath(name)}/file/${encodeURIComponent(path)}`;

export const skills = {
  list: () => api.get<Listed<Skill>>("/api/skills?limit=500"),
  create: (draft: { readonly name: string; readonly description: string }) => api.post<Skill>("/api/skills", draft),
  change: (id: string, patch: object, ifMatch: number | undefined) =>
    api.call<Skill>("put", skillPath(id), { body: patch, ifMatch }),
  remove: (id: string) => api.remove(skillPath(id)),
  toggle: (id: string, enabled: boolean) => api.post(`${skillPath(id)}/toggle`, { enabled }),
  content: (name: string) => api.get<SkillContent>(storagePath(name)),
  file: (name: string, path: string) => api.get<FileContent>(fileUrl(name, path)),
};

async function uploadForm(path: string, init: RequestInit): Promise<void> {
  await fetchData(path, init);
}

/** Writes a text unless another user changed it since it was read. */
export function saveFile(name: string, path: string, content: string, etag?: string): Promise<void> {
  return uploadForm(fileUrl(name, path), {
    method: "POST",
    headers: { "content-type": "application/json", ...(etag !== undefined && { "if-match": etag }) },
    body: JSON.stringify({ content }),
  });
}

export function uploadFile(name: string, path: string, file: File): Promise<void> {
  const form = new FormData();
  form.append("file", file);
  return uploadForm(fileUrl(name, path), { method: "POST", body: form });
}

/** Makes a skill of a folder, or of an archive. */
export function uploadSkill(name: string, files: readonly File[]): Promise<void> {
  const form = new FormData();
  form.append("folder_name", name);
  const [first] = files;
  if (files.length === 1 && first && /\.(zip|skill)$/i.test(first.name)) form.append("archive", first);
  else for (const file of files) form.append("files", file, file.webkitRelativePath || file.name);
  return uploadForm("/api/skills/upload-folder", { method: "POST", body: form });
}
