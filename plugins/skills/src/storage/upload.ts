import Joi from "@hapi/joi";
import { createJsonSyntaxError, decodeText, type Part, textOf, toSchemaError } from "@parley/core";
import { openArchive } from "@parley/core/archive";
import { isObject } from "@parley/core/json";
import { type SkillConfig, skillName, skillResource, type UploadForm } from "../schema.ts";
import type { IncomingSkill } from "../skills.ts";
import { skillsTexts } from "../texts.ts";
import { describeFiles } from "./describe-files.ts";
import { SKILL_MD } from "./file-types.ts";
import { readFrontMatter } from "./front-matter.ts";
import { MAX_FILE_BYTES, MAX_FILES, MAX_FOLDER_BYTES, type NewFile } from "./skill-folders.ts";

const LIMITS = {
  maxPackedBytes: MAX_FOLDER_BYTES,
  maxBytes: MAX_FOLDER_BYTES,
  maxEntries: MAX_FILES * 2,
  maxRatio: 100,
};

/** Parses an upload of a folder or archive with one skill or several; writes nothing. */
export async function readUpload(
  form: UploadForm,
  parts: readonly Part[],
): Promise<{ readonly incoming: readonly IncomingSkill[]; readonly skipped: number }> {
  const { folder_name: name, skill_md } = form;
  const archived = await unpackArchives(parts);
  const given = [...parts.filter(isFilePart).map(toNewFile), ...archived];
  const contentFiles = given.filter(({ path }) => !isClutter(path));
  const found = findSkills(contentFiles, name);
  const hasNone = archived.length > 0 && skill_md === undefined && !found.some(({ files }) => files.some(isSkillMd));
  if (hasNone) {
    throw skillsTexts.error(
      "bad_request",
      "no_skill",
      { what: describeFiles(contentFiles.map(({ path }) => path)) },
      { field: "archive" },
    );
  }
  if (found.length > 1 && skill_md !== undefined) {
    const names = found.map((one) => one.name).join(", ");
    throw skillsTexts.error("bad_request", "many_skills", { count: found.length, names }, { field: "archive" });
  }
  const incoming = await Promise.all(found.map(({ name: own, files }) => toIncomingSkill(form, own, files)));
  const taken = incoming.reduce((sum, { files }) => sum + files.length, 0);
  return { incoming, skipped: Math.max(0, given.length + (skill_md === undefined ? 0 : 1) - taken) };
}

async function toIncomingSkill(
  { overwrite, skill_md, skill_config }: UploadForm,
  name: string,
  files: readonly NewFile[],
): Promise<IncomingSkill> {
  const own = skill_md === undefined ? undefined : { path: SKILL_MD, bytes: Buffer.from(skill_md) };
  const all = own ? [...files.filter((file) => !isSkillMd(file)), own] : files;
  if (all.length === 0) throw skillsTexts.error("bad_request", "no_files", {}, { field: "files" });
  const fields = { ...(await readFrontMatterFields(all)), ...parseConfig(skill_config) };
  return { name, files: all, fields, overwrite };
}

const isSkillMd = ({ path }: NewFile) => path === SKILL_MD;

function isFilePart({ name, filename }: Part): boolean {
  return name === "files" && filename !== undefined;
}

function toNewFile({ filename = "", bytes }: Part): NewFile {
  return { path: filename.normalize("NFC"), bytes };
}

async function unpackArchives(parts: readonly Part[]): Promise<readonly NewFile[]> {
  const archives = parts.filter(({ name, filename }) => name === "archive" && filename !== undefined);
  if (archives.length > 1) throw skillsTexts.error("bad_request", "one_archive", {}, { field: "archive" });
  const files: NewFile[] = [];
  for (const { bytes } of archives) {
    for (const entry of openArchive(bytes, LIMITS)) {
      files.push({ path: entry.name.normalize("NFC"), bytes: await entry.bytes(MAX_FILE_BYTES) });
    }
  }
  return files;
}

/** True for files that operating systems and editors leave in folders. */
function isClutter(path: string): boolean {
  return path
    .split("/")
    .some((part) => part === "__MACOSX" || part === "Thumbs.db" || (part.startsWith(".") && !/^\.+$/.test(part)));
}

interface FoundSkill {
  readonly name: string;
  readonly files: readonly NewFile[];
}

/**
 * Finds the skills: folders at any depth with a SKILL.md that are not inside another such folder. Of several, returns
 * the one with the requested name, else each under the name of its folder.
 */
function findSkills(files: readonly NewFile[], name: string): readonly FoundSkill[] {
  const folders = files.map(({ path }) => path.split("/")).filter((parts) => isSkillMdName(parts.at(-1)));
  const all = folders.map((parts) =>
    parts
      .slice(0, -1)
      .map((part) => `${part}/`)
      .join(""),
  );
  const roots = all.filter((one) => !all.some((other) => other !== one && one.startsWith(other)));
  const [only] = roots;
  if (only === undefined) return [{ name, files }];
  if (roots.length === 1) return [{ name, files: pickFiles(files, only) }];
  const named = roots.filter((root) => getFolderName(root).toLowerCase() === name.toLowerCase());
  const wanted = (named.length > 0 ? named : roots).map((root) => ({
    name: named.length > 0 ? name : validateFolderName(getFolderName(root)),
    files: pickFiles(files, root),
  }));
  const isTwice = wanted.some((one, at) => wanted.findIndex(({ name: other }) => other === one.name) !== at);
  if (isTwice) throw skillsTexts.error("bad_request", "one_archive", {}, { field: "archive" });
  return wanted;
}

const getFolderName = (root: string) => root.split("/").at(-2) ?? "";

function validateFolderName(given: string): string {
  const { value, error } = skillName.validate(given);
  if (error) throw skillsTexts.error("bad_request", "folder_name_unfit", { name: given }, { field: "archive" });
  return value;
}

function pickFiles(files: readonly NewFile[], root: string): readonly NewFile[] {
  return files
    .filter(({ path }) => path.startsWith(root))
    .map(({ path, bytes }) => ({ path: path.slice(root.length), bytes }))
    .map((file) => (isSkillMdName(file.path) ? { ...file, path: SKILL_MD } : file));
}

function isSkillMdName(name: string | undefined): boolean {
  return name?.toLowerCase() === SKILL_MD.toLowerCase();
}

async function readFrontMatterFields(files: readonly NewFile[]): Promise<SkillConfig> {
  const file = files.find(({ path }) => path === SKILL_MD);
  const text = file && decodeText(file.bytes);
  if (file && text === undefined) throw skillsTexts.error("bad_request", "skill_not_text");
  const { description } = await readFrontMatter(text ?? "");
  return description === undefined ? {} : { description: validateDescription(description) };
}

const description = textOf(4_000);

function validateDescription(given: string): string {
  const { value, error } = description.validate(given);
  if (error) throw skillsTexts.error("bad_request", "no_description");
  return value;
}

const configSchema = Joi.object<SkillConfig>(
  Object.fromEntries(
    (["description", "aliases", "enabled", "parameters", "implementation"] as const).map((name) => [
      name,
      skillResource.patch.extract(name),
    ]),
  ),
);

function parseConfig(text: string | undefined): SkillConfig {
  if (text === undefined || text.trim() === "") return {};
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw createJsonSyntaxError(text, "skill_config");
  }
  if (!isObject(read)) throw skillsTexts.error("bad_request", "no_object", {}, { field: "skill_config" });
  const { value, error } = configSchema.validate(read, { stripUnknown: true, errors: { wrap: { label: false } } });
  if (error) throw toSchemaError(error, `skill_config: ${error.message}`, "skill_config");
  return value;
}
