import { AppError, type BlobDraft, type BlobStore } from "@parley/core";

/** Name, size and digest of a file, from its row. */
export interface FileRecord extends Omit<BlobDraft, "path"> {
  readonly name: string;
}

/** Source and target of a migration. */
export interface MigrationRoute {
  readonly from: BlobStore;
  readonly to: BlobStore;
  /** Runs `work` with the path of a local copy of the file's content in `from`. The copy is temporary. */
  withFile<T>(row: FileRecord, signal: AbortSignal, work: (path: string) => Promise<T>): Promise<T>;
}

export interface BlobMigration extends MigrationRoute {
  /** Returns the records of the names that have a row. */
  findRecords(names: readonly string[]): Promise<readonly FileRecord[]>;
  /** Runs `work` while no other process migrates, because two opposite migrations would delete each other's files. */
  runExclusively<T>(work: () => Promise<T>): Promise<T>;
  readonly signal: AbortSignal;
}

const CONCURRENCY = 4;

/**
 * Moves every file with a row to `to`, deleting it from `from` once it is durable there; an interrupted migration
 * continues with the rest. Returns the count, and the names of files whose content differs from their row, which
 * stay.
 */
export async function migrateBlobs({ from, findRecords, runExclusively, ...move }: BlobMigration) {
  const damaged: string[] = [];
  let count = 0;
  const migratePage = async (names: readonly string[]) => {
    const rows = [...(await findRecords(names))];
    const migrateRows = async () => {
      for (let row = rows.pop(); row; row = rows.pop()) {
        const found = await from.find(row.name);
        if (!found) continue;
        if (found.size === row.size && (await isMigrated(row, { from, ...move }))) count += 1;
        else damaged.push(row.name);
      }
    };
    const stopped = (error: unknown) => {
      rows.length = 0;
      throw error;
    };
    const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, () => migrateRows().catch(stopped)));
    // Errors are thrown only after all moves ended, so that another migration can start.
    for (const one of ended) if (one.status === "rejected") throw one.reason;
  };
  for await (const names of from.names()) await runExclusively(() => migratePage(names));
  return { count, damaged };
}

async function isMigrated(
  row: FileRecord,
  { from, to, withFile, signal }: Omit<BlobMigration, "findRecords" | "runExclusively">,
): Promise<boolean> {
  signal.throwIfAborted();
  try {
    await withFile(row, signal, (path) => to.put(row.name, { ...row, path }, signal));
  } catch (error) {
    if (AppError.is(error) && error.code === "conflict") return false;
    throw error;
  }
  await from.remove(row.name);
  return true;
}
