import { constants, createReadStream } from "node:fs";
import { lstat, readdir, rename, rm } from "node:fs/promises";
import { type BlobStore, safeJoin } from "@parley/core";

/** Folder for files being written; a stored file cannot have this name. */
export const TEMP_FOLDER = "_meta";
const PAGE_SIZE = 500;
// Symbolic links in place of a file are not followed.
const NO_LINKS = (constants.O_RDONLY | constants.O_NOFOLLOW) as never;

/** Creates the storage of files in a folder, under their own names. */
export function createDiskBlobs(folder: string): BlobStore {
  return {
    place: folder,
    put: (name, { path }) => rename(path, safeJoin(folder, name)),
    async find(name) {
      const found = await lstat(safeJoin(folder, name)).catch(ignoreMissing);
      return found?.isFile() ? { size: found.size, storedAt: found.mtimeMs } : undefined;
    },
    read: (name, range) => createReadStream(safeJoin(folder, name), { ...range, flags: NO_LINKS }),
    remove: (name) => rm(safeJoin(folder, name), { force: true }),
    async *names() {
      const all = ((await readdir(folder).catch(ignoreMissing)) ?? []).filter((name) => name !== TEMP_FOLDER);
      for (let at = 0; at < all.length; at += PAGE_SIZE) yield all.slice(at, at + PAGE_SIZE);
    },
  };
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
