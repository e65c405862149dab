import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { HEAD_BYTES } from "./content-type.ts";
import { fileFailure } from "./said-failures.ts";

export const MEBIBYTE = 1024 * 1024;
const NO_ROOM = new Set(["ENOSPC", "EDQUOT", "EROFS"]);

/** A disk that takes nothing is a matter of waiting, not a fault of what was sent. */
export function diskProblem(error: unknown): unknown {
  const isDisk = error instanceof Error && NO_ROOM.has(String((error as NodeJS.ErrnoException).code));
  return isDisk ? fileFailure("unavailable", "disk_full", {}, { cause: error, retryAfterS: 60 }) : error;
}

export interface Written {
  readonly size: number;
  readonly sha256: string;
  readonly head: Uint8Array;
}

/** Writes it through to the disk; `too_large` as soon as it is more than `most` bytes. */
export async function writeTo(
  handle: FileHandle,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  most: number,
  signal: AbortSignal | undefined,
): Promise<Written> {
  const hash = createHash("sha256");
  let head: Buffer = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    signal?.throwIfAborted();
    size += chunk.length;
    if (size > most) throw fileFailure("too_large", "file_large", { most: Math.floor(most / MEBIBYTE) });
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    hash.update(chunk);
    for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten;
  }
  await handle.sync();
  return { size, sha256: hash.digest("hex"), head };
}
