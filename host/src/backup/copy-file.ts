import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface CopiedFile {
  readonly size: number;
  readonly sha256: string;
}

/** Copies a file to a new path, with its times and permissions; resolves when it is durable on disk. */
export async function copyWithHash(from: string, to: string): Promise<CopiedFile> {
  const { mode, atime, mtime } = await stat(from);
  const { failure, ...copied } = await writeWithHash(createReadStream(from), to, mode & 0o700);
  if (failure !== undefined) throw failure;
  await utimes(to, atime, mtime);
  return copied;
}

/** Writes a stream to a new file. When it breaks off, `failure` holds the reason and the other fields describe the part received. */
export async function writeWithHash(
  from: Readable,
  to: string,
  mode = 0o600,
): Promise<CopiedFile & { readonly failure?: unknown }> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  let size = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  const broken = await pipeline(from, counter, createWriteStream(to, { flags: "wx", mode, flush: true })).then(
    () => ({}),
    (failure: unknown) => ({ failure }),
  );
  return { size, sha256: hash.digest("hex"), ...broken };
}

export async function hashFile(file: string): Promise<CopiedFile> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { size, sha256: hash.digest("hex") };
}
