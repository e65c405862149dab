import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and what is missing above it, for its owner alone. Throws the error of the system, `EEXIST` where there is
 * something else than a folder. For paths that people choose: Node's own recursive form never returns where the system
 * makes no folders, such as below `/proc`.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}
