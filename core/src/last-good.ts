import { createHash } from "node:crypto";
import { basename, extname, join, relative } from "node:path";

/** Returns the path at which the last valid content of a hand-edited file is stored, for a file at any place. */
export function lastGoodPath(data: string, path: string): string {
  const relativePath = relative(data, path);
  const hash = createHash("sha256").update(relativePath).digest("hex").slice(0, 8);
  const extension = extname(path);
  return join(data, "last-good", `${basename(path, extension)}-${hash}${extension}`);
}
