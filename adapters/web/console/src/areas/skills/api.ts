import type { CallOptions } from "@parley/client";
import { parley, type Shapes, toRevision, toUrl, uploadForm } from "../../shared/api/client.ts";
import { readWholeList } from "../../shared/api/list-pages.ts";

export type Skill = Shapes["Skill"];
export type FileContent = Shapes["SkillFileContent"];
export type SkillPatch = NonNullable<CallOptions<"put", "/api/skills/{skill_id}">["body"]>;

const SKILL_PATH = "/api/skills/{skill_id}";
const STORAGE_PATH = "/api/skills/storage/{skill_name}";
const FILE_PATH = `${STORAGE_PATH}/file/{file_name}` as const;

export const toFileUrl = (name: string, path: string) => toUrl(FILE_PATH, { skill_name: name, file_name: path });

export const skills = {
  list: () => readWholeList((page) => parley.get("/api/skills", { query: page })),
  create: (body: Pick<Skill, "name" | "description">) => parley.post("/api/skills", { body }),
  change: (skill_id: string, body: SkillPatch, ifMatch: number | undefined) =>
    parley.put(SKILL_PATH, { path: { skill_id }, body, ifMatch }),
  remove: (skill_id: string) => parley.delete(SKILL_PATH, { path: { skill_id } }),
  setEnabled: (skill_id: string, enabled: boolean) =>
    parley.post(`${SKILL_PATH}/toggle`, { path: { skill_id }, body: { enabled } }),
  listFiles: (skill_name: string) => parley.get(STORAGE_PATH, { path: { skill_name } }),
  getFile: (skill_name: string, file_name: string) => parley.get(FILE_PATH, { path: { skill_name, file_name } }),
};

/** Writes a text; with the `etag` it was read with, rejects if another user has changed it since. */
export async function saveFile(name: string, path: string, content: string, etag?: string): Promise<void> {
  const ifMatch = etag === undefined || etag === "" ? undefined : toRevision(etag);
  await parley.post(FILE_PATH, {
    path: { skill_name: name, file_name: path },
    body: { content },
    ifMatch,
  });
}

export async function uploadFile(name: string, path: string, file: File): Promise<void> {
  await uploadForm(FILE_PATH, [["file", file]], {
    path: { skill_name: name, file_name: path },
  });
}

/** Creates a skill from the files of a folder, or from one archive. */
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
