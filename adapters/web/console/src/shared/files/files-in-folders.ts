/** A file with where it lies, from the folder that was dropped: `notes/trips/japan.md`. */
export interface FolderFile {
  readonly file: File;
  readonly path: string;
}

/** Returns the files of folders and their subfolders without hidden ones such as `.git`, at most `maxCount`. */
export async function readFolders(
  folders: readonly FileSystemDirectoryEntry[],
  maxCount: number,
): Promise<readonly FolderFile[]> {
  const files: FolderFile[] = [];
  const waiting: FileSystemEntry[] = [...folders];
  for (let entry = waiting.shift(); entry && files.length < maxCount; entry = waiting.shift()) {
    if (entry.name.startsWith(".")) continue;
    if (isFolder(entry)) waiting.push(...(await readEntries(entry)));
    else if (isFile(entry)) files.push({ file: await readFile(entry), path: entry.fullPath.replace(/^\/+/, "") });
  }
  return files;
}

/** Reads all entries; browsers return a hundred at a time, and none at the end. */
async function readEntries(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

export function isFolder(entry: FileSystemEntry | null): entry is FileSystemDirectoryEntry {
  return entry?.isDirectory === true;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
