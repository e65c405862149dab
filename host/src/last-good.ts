import { readFileSync } from "node:fs";
import { lastGoodPath } from "@parley/core";

/** Reads the last good content of a hand-edited file; undefined when there is none. */
export function readLastGood(data: string, path: string): string | undefined {
  try {
    return readFileSync(lastGoodPath(data, path), "utf8");
  } catch {
    // There was no good content yet, or it was deleted: the file then counts as missing.
    return undefined;
  }
}
