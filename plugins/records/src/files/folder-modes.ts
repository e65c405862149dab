import { chmodSync, type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "@parley/core";

const OTHERS_MASK = 0o077;

/**
 * Removes the access of other users to a data folder and everything in it. A restricted folder is skipped, since
 * nobody can reach its content. The folder itself comes last, so that an interrupted start is repeated.
 */
export function restrictFolder(folder: string, log: Logger): void {
  if (process.platform === "win32" || (lstatSync(folder).mode & OTHERS_MASK) === 0) return;
  const failed: string[] = [];
  let changed = 0;
  const close = (path: string) => {
    const { mode } = lstatSync(path);
    if ((mode & OTHERS_MASK) === 0) return;
    try {
      chmodSync(path, mode & 0o700);
      changed += 1;
    } catch {
      failed.push(path);
    }
  };
  const closeAll = (path: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) closeEntry(join(path, entry.name), entry);
    close(path);
  };
  const closeEntry = (path: string, entry: Dirent) => {
    if (entry.isDirectory()) closeAll(path);
    // Link targets are elsewhere and have their own permissions.
    else if (!entry.isSymbolicLink()) close(path);
  };
  closeAll(folder);
  if (changed > 0)
    log.info("the data folder was readable for other users of this machine; their access was removed", {
      folder,
      changed,
    });
  if (failed.length > 0) log.warn("other users of this machine may read files of the data folder", { failed });
}
