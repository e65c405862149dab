import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { create } from "tar";

/** Packs the folder `name` in `folder` as a compressed tar archive while it is read; rejects no size. */
export function packBackup(folder: string, name: string): Readable {
  const packed = Readable.from(create({ cwd: folder, portable: true }, [name]));
  const gzip = createGzip();
  packed.on("error", (error) => gzip.destroy(error));
  gzip.on("close", () => packed.destroy());
  return packed.pipe(gzip);
}
