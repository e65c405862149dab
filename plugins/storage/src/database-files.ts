import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { AppError, type Logger, makeFolder } from "@parley/core";
import writeFileAtomic from "write-file-atomic";
import { lostFrames } from "./wal-check.ts";

/** Which databases belong to a data folder, by a note in it. */
export interface DatabaseFiles {
  /** Refuses to open what has lost something, with the way out; a file that was never there may be made. */
  check(file: string): Promise<void>;
  /** The file is there from now on: it will be missed. */
  note(file: string): Promise<void>;
  /** Those that are known to be there. */
  noted(): readonly string[];
}

export function createDatabaseFiles(data: string, log: Logger): DatabaseFiles {
  const path = join(data, "databases.json");
  const noted = () => (existsSync(path) ? readNote(path) : undefined);
  const isExpected = (file: string) =>
    noted()?.includes(relative(data, file)) ??
    databasesIn(dirname(file)).some((other) => other !== file && sizeOf(other));

  return {
    async check(file) {
      makeFolder(dirname(file));
      const size = sizeOf(file);
      const isThere = Boolean(size);
      if (!isThere && isExpected(file) && !isLossAccepted(file, log)) {
        throw lost(
          file,
          `is ${size === undefined ? "missing" : "empty"}, and was not when it was last used`,
          "an empty one",
        );
      }
      const lostIn = isThere ? await lostFrames(file) : undefined;
      if (!lostIn) return;
      if (!isLossAccepted(file, log)) {
        const what = `has lost committed changes: ${file}-wal is damaged at frame ${lostIn.frame}, and whole behind it`;
        throw lost(file, what, "what is before the damage");
      }
      const kept = `${file}-wal.damaged-${Date.now()}`;
      copyFileSync(`${file}-wal`, kept);
      log.warn("what is behind the damage is left out; the damaged log is kept aside", { file, kept });
    },
    async note(file) {
      const before = noted();
      const name = relative(data, file);
      if (before?.includes(name)) return;
      // The first note in a folder of an earlier version: what lies there belongs to it.
      const names = new Set([...(before ?? databasesIn(data).map((other) => basename(other))), name]);
      const text = `${JSON.stringify({ databases: [...names].sort() }, null, 2)}\n`;
      await writeFileAtomic(path, text, { mode: 0o600 });
    },
    noted: () => (noted() ?? []).map((name) => join(data, name)),
  };
}

function readNote(path: string): readonly string[] {
  try {
    const { databases } = JSON.parse(readFileSync(path, "utf8"));
    if (!Array.isArray(databases)) throw new Error("'databases' is no list");
    return databases;
  } catch (cause) {
    if ("syscall" in (cause as Error)) throw new AppError("unavailable", (cause as Error).message, { cause });
    const way = "repair it, or remove it when all databases are in their places";
    throw new AppError("unavailable", `${path} cannot be used: ${(cause as Error).message}. ${way}`, { cause });
  }
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

function databasesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".db"))
    .map((name) => join(folder, name));
}

/** Said by a file, once: it is gone when it was heard. */
function isLossAccepted(file: string, log: Logger): boolean {
  const word = acceptanceOf(file);
  if (!existsSync(word)) return false;
  rmSync(word);
  log.warn("a loss is accepted, as told", { file });
  return true;
}

function acceptanceOf(file: string): string {
  return `${file}.accept-loss`;
}

function lost(file: string, what: string, instead: string): AppError {
  return new AppError(
    "unavailable",
    `${file} ${what}. Nothing was changed. Restore a backup of the folder; or, to go on with ${instead}, make the file '${acceptanceOf(file)}' and start again`,
  );
}
