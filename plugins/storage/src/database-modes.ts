import { chmodSync, statSync } from "node:fs";
import type { Logger } from "@parley/core";

const OTHERS_MASK = 0o077;

/** Takes a database, which may lie in a folder of its own, away from others. */
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
