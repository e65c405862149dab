import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@parley/core";
import { ignoreMissing, makeFolder } from "../process/file-system.ts";
import { createError, type Sentence, sentence } from "../sentences.ts";
import {
  type BackedUpFile,
  type BackupManifest,
  readManifest,
  toContentFolder,
  toOutsideFolder,
} from "./backup-manifest.ts";
import { copyWithHash, hashFile } from "./copy-file.ts";
import { toDiskError } from "./disk-errors.ts";
import { DATABASES_FILE } from "./make-backup.ts";
import { openImmutable } from "./read-copy.ts";

export interface RestoreOptions {
  /** Folder of the backup. */
  readonly from: string;
  /** Data folder to create; it must be missing or empty. */
  readonly data: string;
  /** Folder of config.ini, for files that were next to the data folder. */
  readonly root: string;
  readonly version: string;
  /** True checks everything and writes nothing. */
  readonly isTrial: boolean;
  /** Restores rows to a server before the folder is created; the databases then stay in the backup. */
  readonly rows?: (manifest: BackupManifest) => Promise<void>;
}

export interface Restored extends BackupManifest {
  /** Existing files next to the data folder that differ from those of the backup; they are not overwritten. */
  readonly skipped: readonly string[];
}

/** Restores a data folder completely or not at all: `bad_request` when damaged, `conflict` when it is not empty. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  try {
    return await restoreFiles(options);
  } catch (error) {
    throw toDiskError("restore_disk", options.data, error);
  }
}

async function restoreFiles({ from, data, root, version, isTrial, rows }: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(from, version);
  await rejectUsedFolder(data);
  await checkContent(from, manifest);
  const missing: BackedUpFile[] = [];
  const skipped: string[] = [];
  for (const file of manifest.outside) {
    const there = await hashFile(join(root, file.path)).catch(ignoreMissing);
    if (!there) missing.push(file);
    else if (there.sha256 !== file.sha256) skipped.push(file.path);
  }
  await rows?.(manifest);
  if (isTrial) return { ...manifest, skipped };
  const unfinished = `${data}.restoring-${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    makeFolder(unfinished);
    for (const file of manifest.files) {
      if (rows && (file.isDatabase || file.path === DATABASES_FILE)) continue;
      const { sha256 } = await copyWithHash(join(toContentFolder(from), file.path), join(unfinished, file.path));
      if (sha256 !== file.sha256) throw createDamagedError(from, file, sentence("copy_changed"));
    }
    for (const { path } of missing) await copyWithHash(join(toOutsideFolder(from), path), join(root, path));
    await rmdir(data).catch(ignoreMissing);
    await rename(unfinished, data);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  return { ...manifest, skipped };
}

/** Reads a whole backup. Rejects with `bad_request` when a file differs from the manifest. */
export async function checkContent(from: string, { files, outside }: BackupManifest): Promise<void> {
  for (const file of files) await checkFile(from, toContentFolder(from), file);
  for (const file of outside) await checkFile(from, toOutsideFolder(from), file);
}

async function rejectUsedFolder(data: string): Promise<void> {
  const there = await readdir(data).catch(ignoreMissing);
  if (there === undefined || there.length === 0) return;
  const advice = "move it away, or choose another --data-dir";
  throw new AppError("conflict", `${data} has something in it already and is not touched: ${advice}`);
}

async function checkFile(from: string, folder: string, file: BackedUpFile): Promise<void> {
  const path = join(folder, file.path);
  const found = await hashFile(path).catch(ignoreMissing);
  if (!found) throw createDamagedError(from, file, sentence("copy_missing"));
  if (found.sha256 !== file.sha256) throw createDamagedError(from, file, sentence("copy_other"));
  const problem = file.isDatabase ? findDatabaseProblem(path) : undefined;
  if (problem !== undefined) throw createDamagedError(from, file, problem);
}

function findDatabaseProblem(path: string): Sentence | undefined {
  try {
    using database = openImmutable(path);
    const [row] = database.prepare("PRAGMA quick_check(1)").all();
    const result = Object.values(row ?? {})[0];
    return result === "ok" ? undefined : sentence("copy_damaged", { said: String(result) });
  } catch (error) {
    return sentence("copy_unread", { said: (error as Error).message });
  }
}

function createDamagedError(folder: string, { path }: BackedUpFile, what: Sentence): AppError {
  return createError("bad_request", sentence("backup_damaged", { folder, path, what }));
}
