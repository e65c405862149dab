import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";

export interface Folders {
  /** The folder of config.ini. */
  readonly root: string;
  readonly data: string;
}

/** Notes which files beside the data folder belong to what is in it: a backup takes them along. */
export function createOutsideNote({ root, data }: Folders): (path: string) => void {
  const noted = join(data, "outside.json");
  const known = new Set(readNoted(noted));
  return (path) => {
    const [ofRoot, ofData] = [relative(root, path), relative(data, path)];
    if (!isBelow(ofRoot) || isBelow(ofData)) return;
    const name = ofRoot.split(sep).join("/");
    if (known.has(name)) return;
    known.add(name);
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(noted, `${JSON.stringify({ files: [...known].toSorted() }, null, 2)}\n`, { mode: 0o600 });
  };
}

function isBelow(way: string): boolean {
  return way !== "" && !isAbsolute(way) && way.split(sep)[0] !== "..";
}

function readNoted(path: string): readonly string[] {
  try {
    const { files } = JSON.parse(readFileSync(path, "utf8")) as { readonly files?: unknown };
    return Array.isArray(files) ? files.map(String) : [];
  } catch {
    // Not there yet, or nobody's any more: it is made anew from what is opened.
    return [];
  }
}
