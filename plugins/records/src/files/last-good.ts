import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createReadError, type Logger, lastGoodPath } from "@parley/core";

/** Stores the last valid text of each file that people edit, also across restarts. */
export interface LastGood {
  /** Returns the text; undefined when none was stored. Throws an error that says why a stored text cannot be read. */
  read(path: string): string | undefined;
  /** Stores a text. If that fails, the failure is logged and the text is cached in memory. */
  write(path: string, text: string): void;
  /** Deletes the text of a file that was removed. */
  remove(path: string): void;
}

/** Creates the store in the data folder, because the folders of the files themselves are often not writable. */
export function createLastGood(data: () => string, log: Logger): LastGood {
  const unstored = new Map<string, string>();
  const read = (path: string) => unstored.get(path) ?? readLastGood(data(), path);
  const isStored = (path: string, text: string) => {
    try {
      return read(path) === text;
    } catch {
      // A text that cannot be read is replaced.
      return false;
    }
  };
  return {
    read,
    write(path, text) {
      try {
        if (isStored(path, text)) return;
        replace(lastGoodPath(data(), path), text);
        unstored.delete(path);
      } catch (error) {
        unstored.set(path, text);
        log.warn("the last valid content of a file could not be saved", { file: path, error });
      }
    },
    remove(path) {
      unstored.delete(path);
      rmSync(lastGoodPath(data(), path), { force: true, recursive: true });
    },
  };
}

/** Replaces a file atomically, readable only by its owner. */
function replace(target: string, text: string): void {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Reads the last valid content of a file that people edit; undefined when none was stored. */
function readLastGood(data: string, path: string): string | undefined {
  try {
    return readFileSync(lastGoodPath(data, path), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw createReadError(error);
  }
}
