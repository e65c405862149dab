import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError, type BlobStore, newId, safeJoin } from "@parley/core";
import { toDiskError, writeContent } from "../store/write-file.ts";
import { filesTexts } from "../texts.ts";
import type { FileRecord, MigrationRoute } from "./blob-migration.ts";
import { TEMP_FOLDER } from "./disk.ts";

/** Creates the route out of the data folder; the files there are read in place. */
export function createRouteOutOfFolder(folder: string, disk: BlobStore, to: BlobStore): MigrationRoute {
  return { from: disk, to, withFile: ({ name }, _signal, work) => work(safeJoin(folder, name)) };
}

/** Creates the route back into the folder. Each file is downloaded and compared with its row before it is stored. */
export function createRouteIntoFolder(folder: string, disk: BlobStore, from: BlobStore): MigrationRoute {
  const unfinished = join(folder, TEMP_FOLDER);
  return {
    from,
    to: {
      ...disk,
      async put(name, draft, signal) {
        await disk.put(name, draft, signal);
        // The file must be durable here before the source deletes it.
        await syncFolder(folder);
      },
    },
    async withFile(row, signal, work) {
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      const path = join(unfinished, newId("part"));
      try {
        await download(row, from, path, signal);
        return await work(path);
      } catch (error) {
        throw toDiskError(error);
      } finally {
        await rm(path, { force: true });
      }
    },
  };
}

/** Downloads a file; rejects with `conflict` when the content differs from its row. */
async function download(row: FileRecord, from: BlobStore, path: string, signal: AbortSignal): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    const { sha256, size } = await writeContent(handle, from.read(row.name), row.size, signal);
    if (sha256 !== row.sha256 || size !== row.size) throw createContentMismatchError();
  } catch (error) {
    // The content is complete and its storage reports the mismatch.
    const isWhole = row.size > 0 && (await handle.stat()).size === row.size;
    throw isWhole || (AppError.is(error) && error.code === "too_large") ? createContentMismatchError(error) : error;
  } finally {
    await handle.close();
  }
}

function createContentMismatchError(cause?: unknown): AppError {
  return filesTexts.error("conflict", "other_content", {}, { cause });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
