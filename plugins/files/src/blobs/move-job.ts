import Joi from "@hapi/joi";
import { type BlobStore, type JobKind, jobKind } from "@parley/core";
import { type Move, moveBlobs } from "./move-blobs.ts";

const HOUR_MS = 3_600_000;
export const MOVE = "files.move";

export interface MoveJobParts extends Omit<Move, "to" | "signal"> {
  readonly to: () => BlobStore;
}

/** Takes the files of the data folder to where a plugin keeps them now. */
export function moveJob({ to, ...parts }: MoveJobParts): JobKind {
  return jobKind({
    kind: MOVE,
    titles: { en: "Move files out of the data folder", zh: "将文件移出数据文件夹" },
    schema: Joi.object({}),
    concurrency: 1,
    timeoutMs: 24 * HOUR_MS,
    retry: { attempts: 100, firstDelayMs: 1_000, maxDelayMs: 300_000 },
    async run(_payload, { log, signal }) {
      const { count, damaged } = await moveBlobs({ ...parts, to: to(), signal });
      log(`${count} files moved to ${to().place}`);
      for (const name of damaged) log(`${name} stays in the data folder: it is not what was stored under this name`);
    },
  });
}

export async function holdsAny(blobs: Pick<BlobStore, "names">): Promise<boolean> {
  for await (const names of blobs.names()) if (names.length > 0) return true;
  return false;
}
