/** A file with where it lies, from the folder that was dropped: `notes/trips/japan.md`. */
export interface FoundFile {
  readonly file: File;
  readonly path: string;
}

/** All files of folders, the folders in them too; what is hidden, such as `.git`, stays. At most so many. */
export async function filesInFolders(
  folders: readonly FileSystemDirectoryEntry[],
  most: number,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  const waiting: FileSystemEntry[] = [...folders];
  for (let entry = waiting.shift(); entry && found.length < most; entry = waiting.shift()) {
    if (entry.name.startsWith(".")) continue;
    if (isFolder(entry)) waiting.push(...(await contentOf(entry)));
    else found.push({ file: await fileOf(entry as FileSystemFileEntry), path: entry.fullPath.replace(/^\/+/, "") });
  }
  return found;
}

/** A browser gives a hundred at a time; nothing is the end. */
async function contentOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
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

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
