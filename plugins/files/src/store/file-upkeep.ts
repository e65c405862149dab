import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError, type BlobStore, type Clock, type Database } from "@parley/core";
import type { FileRecord } from "../blobs/blob-migration.ts";
import { isGeneratedName } from "./file-names.ts";
import type { FileTables } from "./tables.ts";

/** Age from which a file without a row counts as orphaned; normally its row is stored shortly after it. */
const ORPHAN_AGE_MS = 3_600_000;
/** Start of this process. If no other node writes, an older temporary file has no writer any more. */
const PROCESS_START_MS = performance.timeOrigin;
const UNUSED_RETENTION_MS = 30 * 86_400_000;
const BATCH_SIZE = 500;

export interface FileUpkeepDeps {
  readonly blobs: () => BlobStore;
  readonly database: () => Database;
  readonly clock: Clock;
  /** Folder for files being written. */
  readonly tempFolder: string;
  /** Returns true when other nodes may write there. */
  readonly isShared: () => boolean;
}

export interface FileUpkeep {
  /** Removes files of interrupted writes; call it before any new write. */
  start(): Promise<void>;
  /** Removes files that a crash left without a row; returns their number. */
  sweep(): Promise<number>;
  /** Removes files that are not kept and were not used for 30 days; returns their number. */
  prune(): Promise<number>;
  findRecords(names: readonly string[]): Promise<readonly FileRecord[]>;
  /** Deletes the bytes of a file without a row. If that fails, `sweep` deletes them later. */
  deleteBlob(name: string): Promise<void>;
}

export function createFileUpkeep(deps: FileUpkeepDeps): FileUpkeep {
  const { blobs, database, clock, tempFolder, isShared } = deps;
  const tables = () => database().tables<FileTables>();
  const findRecords: FileUpkeep["findRecords"] = async (names) => {
    const columns = ["safe_name", "size", "sha256", "mime_type"] as const;
    const rows = await tables().selectFrom("files").select(columns).where("safe_name", "in", names).execute();
    return rows.map(({ safe_name: name, size, sha256, mime_type: mimeType }) => ({
      name,
      size: Number(size),
      sha256,
      mimeType,
    }));
  };
  const listUnknown = async (names: readonly string[]) => {
    const rows = new Set((await findRecords(names)).map(({ name }) => name));
    return names.filter((name) => !rows.has(name));
  };
  const deleteBlob: FileUpkeep["deleteBlob"] = async (name) => {
    try {
      await blobs().remove(name);
    } catch (error) {
      if (!AppError.is(error) || error.code !== "unavailable") throw error;
    }
  };
  const sweepBefore = async (beforeMs: number) => {
    let removed = 0;
    for await (const names of blobs().names()) {
      for (const name of await listUnknown(names.filter(isGeneratedName))) {
        const found = await blobs().find(name);
        if (!found || found.storedAt >= beforeMs) continue;
        await blobs().remove(name);
        removed += 1;
      }
    }
    return removed;
  };
  return {
    findRecords,
    deleteBlob,
    async start() {
      await mkdir(tempFolder, { recursive: true, mode: 0o700 });
      const names = await readdir(tempFolder);
      for (const name of names.filter((one) => one.startsWith("part_"))) {
        const path = join(tempFolder, name);
        const changedMs = isShared() ? (await stat(path).catch(() => undefined))?.mtimeMs : undefined;
        if (changedMs === undefined || clock.now() - changedMs > ORPHAN_AGE_MS) await rm(path, { force: true });
      }
      const isOwn = !isShared() && blobs().place === dirname(tempFolder);
      if (isOwn) await sweepBefore(PROCESS_START_MS);
    },
    sweep: () => sweepBefore(clock.now() - ORPHAN_AGE_MS),
    async prune() {
      let removed = 0;
      const before = clock.now() - UNUSED_RETENTION_MS;
      for (;;) {
        const unused = tables().selectFrom("files").select(["id", "safe_name"]);
        const rows = await unused.where("kept", "=", 0).where("used_ms", "<", before).limit(BATCH_SIZE).execute();
        if (rows.length === 0) return removed;
        const ids = rows.map(({ id }) => id);
        const gone = tables().deleteFrom("files").where("id", "in", ids);
        await database().write([{ query: gone.where("kept", "=", 0).where("used_ms", "<", before) }]);
        // Some files may have been used since they were found.
        const names = await listUnknown(rows.map(({ safe_name }) => safe_name));
        for (const name of names) await deleteBlob(name);
        removed += names.length;
      }
    },
  };
}
