import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { AppError, type Logger } from "@parley/core";
import writeFileAtomic from "write-file-atomic";
import { findLostFrames } from "./wal-check.ts";

/** Registry of the databases in a data folder, stored in the folder. */
export interface DatabaseFiles {
  /** Throws where a registered database has lost data, with a remedy; an unregistered file may be created. */
  check(file: string): Promise<void>;
  /** Registers an existing file, so that its absence is reported from now on. */
  register(file: string): Promise<void>;
  /** Registered databases; in a folder of a version without the registry, all that lie there. */
  listRegistered(): readonly string[];
}

export function createDatabaseFiles(data: string, log: Logger): DatabaseFiles {
  const path = join(data, "databases.json");
  const readRegistered = () => (existsSync(path) ? readRegistry(path) : undefined);
  const isExpected = (file: string) =>
    readRegistered()?.includes(relative(data, file)) ??
    listDatabases(dirname(file)).some((other) => other !== file && getSize(other));

  return {
    async check(file) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const size = getSize(file);
      const isThere = Boolean(size);
      if (!isThere && isExpected(file) && !isLossAccepted(file, log)) {
        throw createLostDataError(
          file,
          `is ${size === undefined ? "missing" : "empty"}, and was not when it was last used`,
          "an empty one",
        );
      }
      const lostIn = isThere ? await findLostFrames(file) : undefined;
      if (!lostIn) return;
      if (!isLossAccepted(file, log)) {
        const what = `has lost committed changes: ${file}-wal is damaged at frame ${lostIn.frame}, and whole behind it`;
        throw createLostDataError(file, what, "what is before the damage");
      }
      const damagedFile = `${file}-wal.damaged-${Date.now()}`;
      copyFileSync(`${file}-wal`, damagedFile);
      log.warn("changes after the damage are lost; the damaged log is kept as a copy", { file, kept: damagedFile });
    },
    async register(file) {
      const before = readRegistered();
      const name = relative(data, file);
      if (before?.includes(name)) return;
      // First registration in a folder of an earlier version: existing files belong to it.
      const names = new Set([...(before ?? listDatabases(data).map((other) => basename(other))), name]);
      const text = `${JSON.stringify({ databases: [...names].sort() }, null, 2)}\n`;
      await writeFileAtomic(path, text, { mode: 0o600 });
    },
    listRegistered: () => readRegistered()?.map((name) => join(data, name)) ?? listDatabases(data),
  };
}

function readRegistry(path: string): readonly string[] {
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

function getSize(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

function listDatabases(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".db"))
    .map((name) => join(folder, name));
}

/** True when a marker file accepts the loss; deletes the marker. */
function isLossAccepted(file: string, log: Logger): boolean {
  const marker = toAcceptancePath(file);
  if (!existsSync(marker)) return false;
  rmSync(marker);
  log.warn("a data loss is accepted, as requested", { file });
  return true;
}

function toAcceptancePath(file: string): string {
  return `${file}.accept-loss`;
}

function createLostDataError(file: string, what: string, instead: string): AppError {
  return new AppError(
    "unavailable",
    `${file} ${what}. Nothing was changed. Restore a backup of the folder; or, to go on with ${instead}, make the file '${toAcceptancePath(file)}' and start again`,
  );
}
