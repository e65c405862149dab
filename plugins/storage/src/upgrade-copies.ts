import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError, type Clock, isNewerVersion, type Logger } from "@parley/core";
import { findUpgradeCopies, upgradeCopyName } from "@parley/core/storage";
import { restrictDatabase } from "./database-modes.ts";
import type { SqlConnection } from "./sql-connection.ts";

const RETENTION_DAYS = 7;
const DAY_MS = 86_400_000;

/** Copies of databases as they were before a newer version changed their tables, in `data/backups`. */
export interface UpgradeCopies {
  /** Copies a database before its first change. Rejects with `unavailable`, without a change, when there is no room. */
  make(file: string, writer: Pick<SqlConnection, "exclusively">): Promise<void>;
  /** Returns the copy that a service of this version can use; undefined when there is none. */
  find(file: string, version: string): string | undefined;
  /** Removes copies that are older than seven days. */
  prune(): void;
}

export interface UpgradeCopiesOptions {
  readonly data: string;
  readonly version: () => string | undefined;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
}

export function createUpgradeCopies({ data, version, clock, log }: UpgradeCopiesOptions): UpgradeCopies {
  const backups = join(data, "backups");
  // All databases of this start are copied to one folder.
  let folder: string | undefined;
  return {
    async make(file, writer) {
      const own = version();
      if (own === undefined) return;
      folder ??= findUnusedFolder(backups, own, clock.now());
      const copy = join(folder, basename(file));
      await copyTo(copy, file, writer);
      restrictDatabase(copy, log);
      log.warn("a database is upgraded; a copy of its previous state is stored", {
        file,
        version: own,
        copy,
        days: RETENTION_DAYS,
      });
    },
    find(file, own) {
      const made = findUpgradeCopies(listNames(backups)).filter((one) => isNewerVersion(one.version, own));
      return made.map(({ name }) => join(backups, name, basename(file))).find((copy) => existsSync(copy));
    },
    prune() {
      const since = clock.now() - RETENTION_DAYS * DAY_MS;
      for (const { name, madeMs } of findUpgradeCopies(listNames(backups))) {
        if (madeMs < since) rmSync(join(backups, name), { recursive: true, force: true });
      }
    },
  };
}

/** Returns the folder of this start; a later second when an earlier start of the same second created one. */
function findUnusedFolder(backups: string, version: string, ms: number): string {
  const folder = join(backups, upgradeCopyName(version, ms));
  return existsSync(folder) ? findUnusedFolder(backups, version, ms + 1000) : folder;
}

async function copyTo(copy: string, file: string, writer: Pick<SqlConnection, "exclusively">): Promise<void> {
  try {
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    await writer.exclusively((turn) => turn.run({ sql: "VACUUM INTO ?", parameters: [copy] }));
  } catch (cause) {
    if (existsSync(copy)) rmSync(copy);
    const reason = ((cause as Error).cause as Error | undefined)?.message ?? (cause as Error).message;
    const way = "Make room on the disk and start again. Nothing was changed";
    throw new AppError(
      "unavailable",
      `${file} is not upgraded: it cannot be copied to ${copy} first: ${reason}. ${way}`,
      {
        cause,
      },
    );
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The folder is missing until the first copy.
    return [];
  }
}
