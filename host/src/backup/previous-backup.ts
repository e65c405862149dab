import { link, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "@parley/core";
import { listBackups, readManifest, toContentFolder } from "./backup-manifest.ts";
import { hashFile } from "./copy-file.ts";

/** Files of the newest backup in a folder; empty when it is damaged. */
export type PreviousFiles = ReadonlyMap<
  string,
  { readonly file: string; readonly sha256: string; readonly size: number }
>;

export async function readPreviousFiles(to: string, version: string): Promise<PreviousFiles> {
  const [newest] = await listBackups(to);
  if (newest === undefined) return new Map();
  const { files } = await readManifest(newest, version).catch((error: unknown) => {
    if (AppError.is(error)) return { files: [] };
    throw error;
  });
  const content = toContentFolder(newest);
  return new Map(files.map(({ path, ...facts }) => [path, { ...facts, file: join(content, path) }]));
}

/** Links the equal file of the previous backup to `copy`, replacing it if present; backups never change. */
export async function linkIfUnchanged(
  path: string,
  sha256: string,
  before: PreviousFiles,
  copy: string,
): Promise<boolean> {
  const old = before.get(path);
  if (old?.sha256 !== sha256) return false;
  const spare = `${copy}.shared`;
  try {
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    await link(old.file, spare);
    if ((await hashFile(spare)).sha256 !== sha256) throw new Error("the older copy is damaged");
    await rename(spare, copy);
    return true;
  } catch {
    // Some disks have no links, and a damaged copy must not spread, so the file is then stored twice.
    await rm(spare, { force: true });
    return false;
  }
}
