import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError, type BlobStore, newId, safeJoin } from "@parley/core";
import { fileFailure } from "../said-failures.ts";
import { diskProblem, writeTo } from "../write-file.ts";
import { UNFINISHED } from "./disk.ts";
import type { KnownFile, Way } from "./move-blobs.ts";

/** Out of the data folder: what is taken lies there as a file. */
export function wayOut(folder: string, disk: BlobStore, to: BlobStore): Way {
  return { from: disk, to, withFile: ({ name }, _signal, work) => work(safeJoin(folder, name)) };
}

/** Back into it: each file is brought here as a whole, and compared with its row, before it takes its place. */
export function wayBack(folder: string, disk: BlobStore, from: BlobStore): Way {
  const unfinished = join(folder, UNFINISHED);
  return {
    from,
    to: {
      ...disk,
      async put(name, draft, signal) {
        await disk.put(name, draft, signal);
        // What is removed at the other end must not be forgotten here when the power goes.
        await settled(folder);
      },
    },
    async withFile(row, signal, work) {
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      const path = join(unfinished, newId("part"));
      try {
        await bring(row, from, path, signal);
        return await work(path);
      } catch (error) {
        throw diskProblem(error);
      } finally {
        await rm(path, { force: true });
      }
    },
  };
}

/** Throws `conflict` where what comes is not what the row says. */
async function bring(row: KnownFile, from: BlobStore, path: string, signal: AbortSignal): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    const { sha256, size } = await writeTo(handle, from.read(row.name), row.size, signal);
    if (sha256 !== row.sha256 || size !== row.size) throw other();
  } catch (error) {
    // All of it came, and whoever keeps it says itself that it is not what was stored.
    const isWhole = row.size > 0 && (await handle.stat()).size === row.size;
    throw isWhole || (AppError.is(error) && error.code === "too_large") ? other(error) : error;
  } finally {
    await handle.close();
  }
}

function other(cause?: unknown): AppError {
  return fileFailure("conflict", "other_content", {}, { cause });
}

async function settled(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
