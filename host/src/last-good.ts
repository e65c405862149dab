import { readFileSync } from "node:fs";
import { lastGoodPath } from "@parley/core";

/** Reads the last good content of a file that people edit; undefined where there is none. */
export function readLastGood(data: string, path: string): string | undefined {
  try {
    return readFileSync(lastGoodPath(data, path), "utf8");
  } catch {
    // Nothing was good yet, or somebody took it away: the file is then used as if it had never been there.
    return undefined;
  }
}
