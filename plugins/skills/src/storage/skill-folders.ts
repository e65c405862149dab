import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type AppError, contentRevision, notFound } from "@parley/core";
import { skillsTexts } from "../texts.ts";
import { isSkillName, parsePath, toNameKey } from "./names.ts";

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
export const MAX_FOLDER_BYTES = 50 * 1024 * 1024;
export const MAX_FILES = 500;
/** Prefix of a folder being replaced; restored when the service ends before the new one exists. */
const REPLACED_PREFIX = "gone-";
const LEFTOVER_AGE_MS = 3_600_000;
/** Links are not followed, where the system supports that. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

export interface SkillFile {
  /** Path inside the folder, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly modified: string;
}

export interface ReadFile {
  readonly bytes: Buffer;
  readonly size: number;
  /** Revision of the content. */
  readonly revision: number;
}

export interface NewFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Skill folders on disk. Links are never followed, and writes are atomic. */
export interface SkillFolders {
  /** Lists the folder names, sorted. */
  listNames(): Promise<readonly string[]>;
  has(name: string): Promise<boolean>;
  /** Lists all files, by path; rejects with `not_found` when the folder is missing. */
  list(name: string): Promise<readonly SkillFile[]>;
  /** Reads a file; rejects with `not_found` when it is missing. */
  read(name: string, path: string): Promise<ReadFile>;
  write(name: string, file: NewFile, ifMatch?: number): Promise<ReadFile>;
  /** Stores a whole folder, replacing an existing one. */
  put(name: string, files: readonly NewFile[]): Promise<void>;
  /** Deletes a folder; returns the number of files. */
  remove(name: string): Promise<number>;
  /** Returns the absolute path of a folder, for programs that run in it. */
  getPath(name: string): Promise<string>;
  /** Repairs interrupted changes. */
  recover(): Promise<void>;
}

export function createSkillFolders(root: string): SkillFolders {
  const staging = join(root, ".incoming");
  const createTempFolder = async () => {
    await mkdir(staging, { recursive: true, mode: 0o700 });
    return join(staging, randomBytes(12).toString("hex"));
  };
  const resolveFolder = async (name: string) => {
    if (!isSkillName(name)) throw notFound("skill folder", name);
    const folder = join(root, name);
    const found = await lstat(folder).catch(ignoreMissing);
    // On a file system that ignores case, another spelling may find the folder.
    if (!found?.isDirectory() || !(await names()).includes(name)) throw notFound("skill folder", name);
    return folder;
  };
  const names = async () => {
    const entries = await readdir(root, { withFileTypes: true }).catch(ignoreMissing);
    return (entries ?? [])
      .filter((one) => one.isDirectory() && isSkillName(one.name))
      .map((one) => one.name)
      .sort();
  };
  const list = async (name: string) => listFiles(await resolveFolder(name));
  const read = async (name: string, path: string): Promise<ReadFile> => {
    const folder = await resolveFolder(name);
    const parts = parsePath(path);
    const place = join(folder, ...parts);
    if (!(await isInside(folder, parts.slice(0, -1)))) throw notFound("file", path);
    const handle = await open(place, READ_FLAGS).catch((error: unknown) => {
      if (isMissing(error)) throw notFound("file", path);
      throw error;
    });
    try {
      const { size } = await statFile(handle, path);
      if (size > MAX_FILE_BYTES) throw createTooLargeError();
      const bytes = await handle.readFile();
      return { bytes, size: bytes.length, revision: contentRevision(bytes) };
    } finally {
      await handle.close();
    }
  };

  return {
    listNames: names,
    list,
    read,
    getPath: resolveFolder,
    has: async (name) => (await names()).some((one) => toNameKey(one) === toNameKey(name)),
    async write(name, { path, bytes }, ifMatch) {
      const folder = await resolveFolder(name);
      const parts = parsePath(path);
      if (bytes.length > MAX_FILE_BYTES) throw createTooLargeError();
      const there = await listFiles(folder);
      const relative = parts.join("/");
      rejectCaseTwins(relative, there);
      const old = there.find((file) => file.path === relative);
      if (ifMatch !== undefined) {
        const now = old ? (await read(name, path)).revision : undefined;
        if (now !== ifMatch) throw skillsTexts.error("conflict", "changed");
      }
      if (!old && there.length >= MAX_FILES) throw skillsTexts.error("conflict", "many_files", { most: MAX_FILES });
      const others = there.reduce((sum, file) => sum + (file === old ? 0 : file.size), 0);
      if (others + bytes.length > MAX_FOLDER_BYTES)
        throw skillsTexts.error("too_large", "large", { most: MAX_FOLDER_BYTES / 1024 ** 2 });
      const parent = parts.slice(0, -1);
      await mkdir(join(folder, ...parent), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        if (isMissing(error) || getErrorCode(error) === "EEXIST" || getErrorCode(error) === "ENOTDIR")
          throw skillsTexts.error("conflict", "file_in_place", {}, { field: "path" });
        throw error;
      });
      if (!(await isInside(folder, parent))) throw skillsTexts.error("bad_request", "outside", {}, { field: "path" });
      const target = join(folder, ...parts);
      if ((await lstat(target).catch(ignoreMissing))?.isDirectory())
        throw skillsTexts.error("conflict", "is_folder", {}, { field: "path" });
      const temporary = await createTempFolder();
      try {
        await writeFileSynced(temporary, bytes);
        // An existing link is replaced, not followed.
        await rename(temporary, target);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      return { bytes: Buffer.from(bytes), size: bytes.length, revision: contentRevision(bytes) };
    },
    async put(name, given) {
      if (!isSkillName(name)) throw skillsTexts.error("bad_request", "folder_name", {}, { field: "name" });
      const incoming = await createTempFolder();
      const gone = join(staging, `${REPLACED_PREFIX}${name}`);
      try {
        await mkdir(incoming, { mode: 0o700 });
        for (const { path, bytes } of validateFiles(given)) {
          const parts = parsePath(path);
          await mkdir(join(incoming, ...parts.slice(0, -1)), { recursive: true, mode: 0o700 });
          await writeFileSynced(join(incoming, ...parts), bytes);
        }
        const target = join(root, name);
        const isThere = (await lstat(target).catch(ignoreMissing)) !== undefined;
        if (isThere) await rename(target, gone);
        try {
          await rename(incoming, target);
        } catch (error) {
          if (isThere) await rename(gone, target);
          throw error;
        }
      } finally {
        await rm(incoming, { recursive: true, force: true });
        await rm(gone, { recursive: true, force: true });
      }
    },
    async remove(name) {
      const folder = await resolveFolder(name);
      const count = (await listFiles(folder)).length;
      const gone = await createTempFolder();
      await rename(folder, gone);
      await rm(gone, { recursive: true, force: true });
      return count;
    },
    async recover() {
      for (const entry of (await readdir(staging).catch(ignoreMissing)) ?? []) {
        const place = join(staging, entry);
        const target = join(root, entry.slice(REPLACED_PREFIX.length));
        const isLost = entry.startsWith(REPLACED_PREFIX) && (await lstat(target).catch(ignoreMissing)) === undefined;
        if (isLost) await rename(place, target);
        // The service before a reload may still be writing a new folder.
        else if (Date.now() - ((await lstat(place).catch(ignoreMissing))?.mtimeMs ?? 0) > LEFTOVER_AGE_MS)
          await rm(place, { recursive: true, force: true });
      }
    },
  };
}

/** Validates files for one folder; `bad_request` where two would be one on some system. */
function validateFiles(given: readonly NewFile[]): readonly NewFile[] {
  if (given.length > MAX_FILES) throw skillsTexts.error("too_large", "many_files", { most: MAX_FILES });
  let total = 0;
  const keys = new Set<string>();
  for (const { path, bytes } of given) {
    const key = toNameKey(parsePath(path).join("/"));
    if (keys.has(key)) throw skillsTexts.error("bad_request", "twice", { path }, { field: "files" });
    keys.add(key);
    if (bytes.length > MAX_FILE_BYTES) throw createTooLargeError();
    total += bytes.length;
    if (total > MAX_FOLDER_BYTES) throw skillsTexts.error("too_large", "large", { most: MAX_FOLDER_BYTES / 1024 ** 2 });
  }
  const isUnder = [...keys].some((key) => [...keys].some((other) => other.startsWith(`${key}/`)));
  if (isUnder) throw skillsTexts.error("bad_request", "name_of_folder", {}, { field: "files" });
  return given;
}

/** Rejects a path that differs from an existing one only in case, since some systems do not distinguish them. */
function rejectCaseTwins(path: string, there: readonly SkillFile[]): void {
  const prefixes = (whole: string) => whole.split("/").map((_, at, parts) => parts.slice(0, at + 1).join("/"));
  const known = new Map(there.flatMap((file) => prefixes(file.path)).map((one) => [toNameKey(one), one]));
  const twin = prefixes(path).find((one) => (known.get(toNameKey(one)) ?? one) !== one);
  if (twin)
    throw skillsTexts.error("conflict", "case_alone", { name: known.get(toNameKey(twin)) ?? "" }, { field: "path" });
}

/** Lists regular files, without links and other entries. */
async function listFiles(folder: string): Promise<readonly SkillFile[]> {
  const found: SkillFile[] = [];
  const walk = async (at: readonly string[]): Promise<void> => {
    for (const entry of await readdir(join(folder, ...at), { withFileTypes: true })) {
      if (entry.name.startsWith(".")) continue;
      const parts = [...at, entry.name];
      if (entry.isDirectory() && parts.length <= 8) await walk(parts);
      else if (entry.isFile()) {
        const { size, mtime } = await lstat(join(folder, ...parts));
        found.push({ path: parts.join("/"), size, modified: mtime.toISOString() });
      }
    }
  };
  await walk([]);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns false when a part of the path is a link. */
async function isInside(folder: string, parts: readonly string[]): Promise<boolean> {
  const real = await realpath(join(folder, ...parts)).catch(ignoreMissing);
  return real === join(await realpath(folder), ...parts);
}

async function statFile(handle: FileHandle, path: string) {
  const found = await handle.stat();
  if (!found.isFile()) throw notFound("file", path);
  return found;
}

async function writeFileSynced(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const MISSING = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);
const getErrorCode = (error: unknown) => String((error as NodeJS.ErrnoException | undefined)?.code);
const isMissing = (error: unknown) => MISSING.has(getErrorCode(error));

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function createTooLargeError(): AppError {
  return skillsTexts.error("too_large", "file_large", { most: MAX_FILE_BYTES / 1024 ** 2 });
}
