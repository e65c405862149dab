import { createHash } from "node:crypto";
import { basename, extname, join, relative } from "node:path";

/** Returns the path that stores the last good content of a hand-edited file, wherever the file itself is. */
export function lastGoodPath(data: string, path: string): string {
  const way = relative(data, path);
  const sign = createHash("sha256").update(way).digest("hex").slice(0, 8);
  const ending = extname(path);
  return join(data, "last-good", `${basename(path, ending)}-${sign}${ending}`);
}
