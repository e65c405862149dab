import { type BigIntStats, constants, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Directory of open file descriptors. On systems without it a folder is addressed by name, and a swap after the check goes unnoticed. */
const FD_FOLDER = "/proc/self/fd";
const HAS_FD_FOLDER = existsSync(FD_FOLDER);

/** An open folder. Operations through `path` stay in it, even if its name is redirected meanwhile. */
export interface Folder extends AsyncDisposable {
  readonly path: string;
}

/** Opens a folder; undefined when it is missing or a symbolic link. */
export async function openFolder(path: string): Promise<Folder | undefined> {
  const handle = await ignoreMissing(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  if (!handle) return undefined;
  return {
    path: HAS_FD_FOLDER ? `${FD_FOLDER}/${handle.fd}` : path,
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/** Opens the folder at `parts` step by step, without following links; undefined when it is missing. */
export async function openPath(
  from: string,
  parts: readonly string[],
  shouldCreate: boolean,
): Promise<Folder | undefined> {
  let folder = await openFolder(from);
  for (const part of parts) {
    if (!folder) return undefined;
    await using above = folder;
    let name = await findNameOnDisk(above, part);
    if (name === undefined && shouldCreate) {
      await mkdir(join(above.path, part), { mode: 0o700 });
      name = part;
    }
    folder = name === undefined ? undefined : await openFolder(join(above.path, name));
  }
  return folder;
}

/** Returns the name on disk that equals `name` except for case or Unicode form; undefined if there is none. */
export async function findNameOnDisk(folder: Folder, name: string): Promise<string | undefined> {
  if (await ignoreMissing(lstat(join(folder.path, name)))) return name;
  const key = toNameKey(name);
  return (await readdir(folder.path)).find((other) => toNameKey(other) === key);
}

/** Returns a key that is equal for all names of one file. */
export function toNameKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

export interface Entry extends AsyncDisposable {
  readonly stats: BigIntStats;
  /** Handle of a file; folders are opened separately. */
  readonly handle: FileHandle;
}

/** Opens a file or folder by its name on disk; undefined for a link, a device, or a missing entry. */
export async function openEntry(folder: Folder, name: string): Promise<Entry | undefined> {
  // Without this flag, opening a pipe would wait for a writer.
  const handle = await ignoreMissing(open(join(folder.path, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  if (!handle) return undefined;
  const stats = await handle.stat({ bigint: true });
  if (stats.isFile() || stats.isDirectory()) {
    return { stats, handle, [Symbol.asyncDispose]: () => handle.close() };
  }
  await handle.close();
  return undefined;
}

/** Codes that mean a missing entry; `ENXIO` is that of a socket. */
const MISSING_CODES = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"]);

async function ignoreMissing<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if (MISSING_CODES.has(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}
