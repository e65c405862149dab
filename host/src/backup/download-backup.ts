import { join } from "node:path";
import { pipeline, type Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { packTarSources } from "modern-tar/fs";

/** Packs the folder `name` in `folder` as a compressed tar archive (`.tar.gz`) while it is read. */
export function packBackup(folder: string, name: string): Readable {
  const packed = packTarSources([{ type: "directory", source: join(folder, name), target: name }]);
  // An error of either stream ends both, and reaches the reader of the archive.
  return pipeline(packed, createGzip(), () => {});
}
