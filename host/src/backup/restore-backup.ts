import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { AppError } from "@parley/core";
import { type BackedUpFile, type BackupManifest, contentFolder, readManifest } from "./backup-manifest.ts";
import { copyWithHash, hashOf } from "./copy-file.ts";

export interface RestoreOptions {
  /** The backup. */
  readonly from: string;
  /** The data folder that is made of it; it must not be there, or be empty. */
  readonly data: string;
  /** Of this Parley. */
  readonly version: string;
  /** Looks at everything and writes nothing. */
  readonly isTrial: boolean;
}

/** Makes a data folder of a backup, whole or not at all. `bad_request` for a backup with anything wrong, `conflict` for a folder that has something in it. */
export async function restoreBackup({ from, data, version, isTrial }: RestoreOptions): Promise<BackupManifest> {
  const manifest = await readManifest(from, version);
  await refuseUsed(data);
  for (const file of manifest.files) await check(from, file);
  if (isTrial) return manifest;
  const unfinished = `${data}.restoring-${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    for (const file of manifest.files) {
      const { sha256 } = await copyWithHash(join(contentFolder(from), file.path), join(unfinished, file.path));
      if (sha256 !== file.sha256) throw damaged(from, file, "changed while it was copied");
    }
    await rmdir(data).catch(unlessMissing);
    await rename(unfinished, data);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  return manifest;
}

async function refuseUsed(data: string): Promise<void> {
  const there = await readdir(data).catch(unlessMissing);
  if (there === undefined || there.length === 0) return;
  const way = "move it away, or choose another --data-dir";
  throw new AppError("conflict", `${data} has something in it already and is not touched: ${way}`);
}

async function check(from: string, file: BackedUpFile): Promise<void> {
  const path = join(contentFolder(from), file.path);
  const found = await hashOf(path).catch(unlessMissing);
  if (!found) throw damaged(from, file, "is missing");
  if (found.sha256 !== file.sha256) throw damaged(from, file, "is not as it was stored");
  const problem = file.isDatabase ? problemOf(path) : undefined;
  if (problem !== undefined) throw damaged(from, file, problem);
}

/** Looked at as it lies there: nothing is written beside it. */
function problemOf(path: string): string | undefined {
  const url = pathToFileURL(path);
  url.searchParams.set("mode", "ro");
  url.searchParams.set("immutable", "1");
  try {
    using database = new DatabaseSync(url, { readOnly: true });
    const [row] = database.prepare("PRAGMA quick_check(1)").all();
    const said = Object.values(row ?? {})[0];
    return said === "ok" ? undefined : `is a damaged database (${said})`;
  } catch (error) {
    return `is no database that can be read (${(error as Error).message})`;
  }
}

function damaged(from: string, { path }: BackedUpFile, what: string): AppError {
  return new AppError("bad_request", `the backup ${from} cannot be used: ${path} ${what}`);
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
  throw error;
}
