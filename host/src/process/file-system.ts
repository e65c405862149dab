import { existsSync, mkdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";

/** Resolves when earlier writes to a file or folder are durable on disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns undefined for `ENOENT` and rethrows any other error; for `catch`. */
export function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}

/**
 * Creates a folder and its missing parents, for the owner only. Throws the system's error, `EEXIST` when the path is not a folder. For
 * user-chosen paths: Node's recursive form never returns where the system creates no folders, such as below `/proc`.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}

/** Returns true for a path inside the folder. */
export function isBelow(folder: string, path: string): boolean {
  return resolve(path).startsWith(resolve(folder) + sep);
}
