import { api, type Listed, parley, toRevision, uploadForm } from "../../shared/api/client.ts";
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

/** Writes a text unless another user changed it since it was read. */
export async function saveFile(name: string, path: string, content: string, etag?: string): Promise<void> {
  const ifMatch = etag === undefined || etag === "" ? undefined : toRevision(etag);
  await parley.post("/api/skills/storage/{skill_name}/file/{file_name}", {
    path: { skill_name: name, file_name: path },
    body: { content },
    ifMatch,
  });
}

export async function uploadFile(name: string, path: string, file: File): Promise<void> {
  await uploadForm("/api/skills/storage/{skill_name}/file/{file_name}", [["file", file]], {
    path: { skill_name: name, file_name: path },
  });
}

/** Makes a skill of a folder, or of an archive. */
export async function uploadSkill(name: string, files: readonly File[]): Promise<void> {
  const [first] = files;
  const isArchive = files.length === 1 && first && /\.(zip|skill)$/i.test(first.name);
  await uploadForm("/api/skills/upload-folder", [
    ["folder_name", name],
    ...(isArchive
      ? [["archive", first] as const]
      : files.map((file) => ["files", file, file.webkitRelativePath || file.name] as const)),
  ]);
}
