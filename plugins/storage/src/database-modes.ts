import { chmodSync, statSync } from "node:fs";
import type { Logger } from "@parley/core";

const OTHERS_MASK = 0o077;

/** Removes the access of other users to a database, which may be in a separate folder. */
export function restrictDatabase(file: string, log: Logger): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if (process.platform === "win32" || (mode & OTHERS_MASK) === 0) continue;
    try {
      chmodSync(path, mode & 0o700);
    } catch (error) {
      log.warn("other users of this machine may read a database", { file: path, error });
    }
  }
}
