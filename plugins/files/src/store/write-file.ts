import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { filesTexts } from "../texts.ts";
import { HEAD_BYTES } from "./content-type.ts";

export const MEBIBYTE = 1024 * 1024;
const DISK_FULL_CODES = new Set(["ENOSPC", "EDQUOT", "EROFS"]);

/** Converts an error of a full disk to `unavailable` with a retry time; returns other errors unchanged. */
export function toDiskError(error: unknown): unknown {
  const isDisk = error instanceof Error && DISK_FULL_CODES.has(String((error as NodeJS.ErrnoException).code));
  return isDisk ? filesTexts.error("unavailable", "disk_full", {}, { cause: error, retryAfterS: 60 }) : error;
}

export interface WriteResult {
  readonly size: number;
  readonly sha256: string;
  readonly head: Uint8Array;
}

/** Writes the content durably to disk; rejects with `too_large` as soon as it exceeds `most` bytes. */
export async function writeContent(
  handle: FileHandle,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<WriteResult> {
  const hash = createHash("sha256");
  let head: Buffer = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    signal?.throwIfAborted();
    size += chunk.length;
    if (size > maxBytes) throw filesTexts.error("too_large", "file_large", { most: Math.floor(maxBytes / MEBIBYTE) });
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    hash.update(chunk);
    for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten;
  }
  await handle.sync();
  return { size, sha256: hash.digest("hex"), head };
}
