import { join } from "node:path";
import { AppError, type BlobDraft, type BlobStore } from "@parley/core";

/** What the row of a file says of its bytes. */
export interface KnownFile extends Omit<BlobDraft, "path"> {
  readonly name: string;
}

export interface Move {
  /** Of `from`. */
  readonly folder: string;
  readonly from: BlobStore;
  readonly to: BlobStore;
  /** Those of the names that have a row. */
  known(names: readonly string[]): Promise<readonly KnownFile[]>;
  readonly signal: AbortSignal;
}

const AT_ONCE = 4;

/**
 * Takes every file that has a row to `to`, and away from `from` when it is there for good: who was interrupted goes on with what is
 * left. Gives how many were taken, and the names of those whose content is not what their row says: they stay.
 */
export async function moveBlobs({ from, known, ...move }: Move) {
  const damaged: string[] = [];
  let count = 0;
  for await (const names of from.names()) {
    const rows = [...(await known(names))];
    const oneAfterTheOther = async () => {
      for (let row = rows.pop(); row; row = rows.pop()) {
        if (!(await from.find(row.name))) continue;
        if (await isTaken(row, { from, ...move })) count += 1;
        else damaged.push(row.name);
      }
    };
    const stopped = (error: unknown) => {
      rows.length = 0;
      throw error;
    };
    await Promise.all(Array.from({ length: AT_ONCE }, () => oneAfterTheOther().catch(stopped)));
  }
  return { count, damaged };
}

async function isTaken(row: KnownFile, { folder, from, to, signal }: Omit<Move, "known">): Promise<boolean> {
  signal.throwIfAborted();
  const found = await from.find(row.name);
  if (found?.size !== row.size) return false;
  try {
    await to.put(row.name, { ...row, path: join(folder, row.name) }, signal);
  } catch (error) {
    if (AppError.is(error) && error.code === "conflict") return false;
    throw error;
  }
  await from.remove(row.name);
  return true;
}
