/** A file with its path from the dropped folder: `notes/trips/japan.md`. */
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
  const queue: FileSystemEntry[] = [...folders];
  for (let entry = queue.shift(); entry && files.length < maxCount; entry = queue.shift()) {
    if (entry.name.startsWith(".")) continue;
    if (isFolder(entry)) queue.push(...(await readEntries(entry)));
    else if (isFile(entry)) files.push({ file: await readFile(entry), path: entry.fullPath.replace(/^\/+/, "") });
  }
  return files;
}

/** Reads all entries; browsers return a hundred at a time, and none at the end. */
async function readEntries(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<readonly FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return entries;
    entries.push(...batch);
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
