import Joi from "@hapi/joi";
import { decodeText, jsonRefusal, openArchive, type Part, schemaRefusal, textOf } from "@parley/core";
import { SKILL_MD } from "./file-types.ts";
import { readFrontMatter } from "./front-matter.ts";
import { skillFailure } from "./said-failures.ts";
import { type SkillConfig, skills, type UploadForm } from "./schema.ts";
import { MAX_FILE, MAX_FILES, MAX_FOLDER, type NewFile } from "./skill-folders.ts";
import type { Incoming } from "./skills.ts";

const LIMITS = { maxPackedBytes: MAX_FOLDER, maxBytes: MAX_FOLDER, maxEntries: MAX_FILES * 2, maxRatio: 100 };

/** What an upload of a folder or an archive comes to; nothing is written by it. */
export async function readUpload(
  form: UploadForm,
  parts: readonly Part[],
): Promise<{ readonly incoming: Incoming; readonly skipped: number }> {
  const { folder_name: name, overwrite, skill_md, skill_config } = form;
  const given = [...parts.filter(isFile).map(fileOf), ...(await unpacked(parts))];
  const kept = given.filter(({ path }) => !isClutter(path));
  const files = skillIn(kept, name);
  const own = skill_md === undefined ? undefined : { path: SKILL_MD, bytes: Buffer.from(skill_md) };
  const all = own ? [...files.filter(({ path }) => path !== SKILL_MD), own] : files;
  if (all.length === 0) throw skillFailure("bad_request", "no_files", {}, { field: "files" });
  const fields = { ...(await fieldsOfHead(all)), ...configOf(skill_config) };
  return { incoming: { name, files: all, fields, overwrite }, skipped: given.length - files.length };
}

function isFile({ name, filename }: Part): boolean {
  return name === "files" && filename !== undefined;
}

function fileOf({ filename = "", bytes }: Part): NewFile {
  return { path: filename.normalize("NFC"), bytes };
}

async function unpacked(parts: readonly Part[]): Promise<readonly NewFile[]> {
  const archives = parts.filter(({ name, filename }) => name === "archive" && filename !== undefined);
  if (archives.length > 1) throw skillFailure("bad_request", "one_archive", {}, { field: "archive" });
  const files: NewFile[] = [];
  for (const { bytes } of archives) {
    for (const entry of openArchive(bytes, LIMITS)) {
      files.push({ path: entry.name.normalize("NFC"), bytes: await entry.bytes(MAX_FILE) });
    }
  }
  return files;
}

/** What systems and editors leave in folders. */
function isClutter(path: string): boolean {
  return path
    .split("/")
    .some((part) => part === "__MACOSX" || part === "Thumbs.db" || (part.startsWith(".") && !/^\.+$/.test(part)));
}

/**
 * The files of the one skill in these: those of the folder nearest to the top that has a SKILL.md, however many folders are
 * around it and however its name is written. Of several such folders, the one that is called as the skill.
 */
function skillIn(files: readonly NewFile[], name: string): readonly NewFile[] {
  const folders = files.map(({ path }) => path.split("/")).filter((parts) => isSkillFile(parts.at(-1)));
  const depth = Math.min(...folders.map((parts) => parts.length));
  const nearest = folders.filter((parts) => parts.length === depth).map((parts) => parts.slice(0, -1));
  if (nearest.length === 0) return files;
  const named = nearest.filter((parts) => parts.at(-1)?.toLowerCase() === name.toLowerCase());
  const [root = [], ...more] = nearest.length > 1 ? named : nearest;
  if (named.length === 0 && nearest.length > 1) {
    const names = nearest.map((parts) => parts.at(-1)).join(", ");
    throw skillFailure("bad_request", "many_skills", { count: nearest.length, names }, { field: "archive" });
  }
  if (more.length > 0) throw skillFailure("bad_request", "one_archive", {}, { field: "archive" });
  const prefix = root.map((part) => `${part}/`).join("");
  return files
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path, bytes }) => ({ path: path.slice(prefix.length), bytes }))
    .map((file) => (isSkillFile(file.path) ? { ...file, path: SKILL_MD } : file));
}

function isSkillFile(name: string | undefined): boolean {
  return name?.toLowerCase() === SKILL_MD.toLowerCase();
}

async function fieldsOfHead(files: readonly NewFile[]): Promise<SkillConfig> {
  const file = files.find(({ path }) => path === SKILL_MD);
  const text = file && decodeText(file.bytes);
  if (file && text === undefined) throw skillFailure("bad_request", "skill_not_text");
  const { description } = await readFrontMatter(text ?? "");
  return description === undefined ? {} : { description: checkedText(description) };
}

const description = textOf(4_000);

function checkedText(given: string): string {
  const { value, error } = description.validate(given);
  if (error) throw skillFailure("bad_request", "no_description");
  return value;
}

const config = Joi.object<SkillConfig>(
  Object.fromEntries(
    (["description", "aliases", "enabled", "parameters", "implementation"] as const).map((name) => [
      name,
      skills.patch.extract(name),
    ]),
  ),
);

function configOf(text: string | undefined): SkillConfig {
  if (text === undefined || text.trim() === "") return {};
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw jsonRefusal(text, "skill_config");
  }
  if (typeof read !== "object" || read === null || Array.isArray(read))
    throw skillFailure("bad_request", "no_object", {}, { field: "skill_config" });
  const { value, error } = config.validate(read, { stripUnknown: true, errors: { wrap: { label: false } } });
  if (error) throw schemaRefusal(error, `skill_config: ${error.message}`, "skill_config");
  return value;
}
