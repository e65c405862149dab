import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";

export interface RootFolders {
  /** The folder of config.ini. */
  readonly root: string;
  readonly data: string;
}

/** Records files outside the data folder that belong to it, so that backups include them. */
export function createExternalFileLog({ root, data }: RootFolders): (path: string) => void {
  const listPath = join(data, "outside.json");
  const known = new Set(readList(listPath));
  return (path) => {
    const [ofRoot, ofData] = [relative(root, path), relative(data, path)];
    if (!isInside(ofRoot) || isInside(ofData)) return;
    const name = ofRoot.split(sep).join("/");
    if (known.has(name)) return;
    known.add(name);
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(listPath, `${JSON.stringify({ files: [...known].toSorted() }, null, 2)}\n`, { mode: 0o600 });
  };
}

function isInside(way: string): boolean {
  return way !== "" && !isAbsolute(way) && way.split(sep)[0] !== "..";
}

function readList(path: string): readonly string[] {
  try {
    const { files } = JSON.parse(readFileSync(path, "utf8")) as { readonly files?: unknown };
    return Array.isArray(files) ? files.map(String) : [];
  } catch {
    // Missing or unreadable: rebuilt from the files being opened.
    return [];
  }
}
