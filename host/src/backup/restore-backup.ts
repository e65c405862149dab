import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { AppError, makeFolder } from "@parley/core";
import { unlessMissing } from "../on-disk.ts";
import { failureSaying, type Sentence, sentence } from "../sentences.ts";
import {
  type BackedUpFile,
  type BackupManifest,
  contentFolder,
  outsideFolder,
  readManifest,
} from "./backup-manifest.ts";
import { copyWithHash, hashOf } from "./copy-file.ts";
import { diskTrouble } from "./disk-trouble.ts";
import { NOTE } from "./make-backup.ts";
import { openCopy } from "./read-copy.ts";

export interface RestoreOptions {
  /** The backup. */
  readonly from: string;
  /** The data folder that is made of it; it must not be there, or be empty. */
  readonly data: string;
  /** The folder of config.ini, for files that were beside the data folder. */
  readonly root: string;
  /** Of this Parley. */
  readonly version: string;
  /** Looks at everything and writes nothing. */
  readonly isTrial: boolean;
  /** What is done with rows that a server keeps, while nothing is in the folder yet; its databases stay in the backup then. */
  readonly rows?: (manifest: BackupManifest) => Promise<void>;
}

export interface Restored extends BackupManifest {
  /** Files beside the data folder that are there already, and are not those of the backup: they stay. */
  readonly left: readonly string[];
}

/** Makes a data folder of a backup, whole or not at all. `bad_request` for a backup with anything wrong, `conflict` for a folder that has something in it. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  try {
    return await restored(options);
  } catch (error) {
    throw diskTrouble("restore_disk", options.data, error);
  }
}

async function restored({ from, data, root, version, isTrial, rows }: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(from, version);
  await refuseUsed(data);
  await checkContent(from, manifest);
  const missing: BackedUpFile[] = [];
  const left: string[] = [];
  for (const file of manifest.outside) {
    const there = await hashOf(join(root, file.path)).catch(unlessMissing);
    if (!there) missing.push(file);
    else if (there.sha256 !== file.sha256) left.push(file.path);
  }
  await rows?.(manifest);
  if (isTrial) return { ...manifest, left };
  const unfinished = `${data}.restoring-${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    makeFolder(unfinished);
    for (const file of manifest.files) {
      if (rows && (file.isDatabase || file.path === NOTE)) continue;
      const { sha256 } = await copyWithHash(join(contentFolder(from), file.path), join(unfinished, file.path));
      if (sha256 !== file.sha256) throw damaged(from, file, sentence("copy_changed"));
    }
    for (const { path } of missing) await copyWithHash(join(outsideFolder(from), path), join(root, path));
    await rmdir(data).catch(unlessMissing);
    await rename(unfinished, data);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  return { ...manifest, left };
}

/** Reads all of a backup. `bad_request` for what is not as its list says. */
export async function checkContent(from: string, { files, outside }: BackupManifest): Promise<void> {
  for (const file of files) await check(from, contentFolder(from), file);
  for (const file of outside) await check(from, outsideFolder(from), file);
}

async function refuseUsed(data: string): Promise<void> {
  const there = await readdir(data).catch(unlessMissing);
  if (there === undefined || there.length === 0) return;
  const way = "move it away, or choose another --data-dir";
  throw new AppError("conflict", `${data} has something in it already and is not touched: ${way}`);
}

async function check(from: string, folder: string, file: BackedUpFile): Promise<void> {
  const path = join(folder, file.path);
  const found = await hashOf(path).catch(unlessMissing);
  if (!found) throw damaged(from, file, sentence("copy_missing"));
  if (found.sha256 !== file.sha256) throw damaged(from, file, sentence("copy_other"));
  const problem = file.isDatabase ? problemOf(path) : undefined;
  if (problem !== undefined) throw damaged(from, file, problem);
}

function problemOf(path: string): Sentence | undefined {
  try {
    using database = openCopy(path);
    const [row] = database.prepare("PRAGMA quick_check(1)").all();
    const said = Object.values(row ?? {})[0];
    return said === "ok" ? undefined : sentence("copy_damaged", { said: String(said) });
  } catch (error) {
    return sentence("copy_unread", { said: (error as Error).message });
  }
}

function damaged(folder: string, { path }: BackedUpFile, what: Sentence): AppError {
  return failureSaying("bad_request", sentence("backup_damaged", { folder, path, what }));
}
