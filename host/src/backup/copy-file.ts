import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface Copied {
  readonly size: number;
  readonly sha256: string;
}

/** Copies a file to where none is, with its times and rights; resolves when it is on disk for good. */
export async function copyWithHash(from: string, to: string): Promise<Copied> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const { mode, atime, mtime } = await stat(from);
  const hash = createHash("sha256");
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(
    createReadStream(from),
    counted,
    createWriteStream(to, { flags: "wx", mode: mode & 0o700, flush: true }),
  );
  await utimes(to, atime, mtime);
  return { size, sha256: hash.digest("hex") };
}

export async function hashOf(file: string): Promise<Copied> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { size, sha256: hash.digest("hex") };
}
