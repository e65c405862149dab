import { readFileSync } from "node:fs";

/** The version of this package, which is the version of all packages of Parley. */
export function readOwnVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
