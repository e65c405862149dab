import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { AppError, type CreatedBackup, type ItemFailure } from "@parley/core";
import { ignoreMissing, isBelow, makeFolder, syncToDisk } from "../process/file-system.ts";
import { sentence, toAnswerMessage } from "../sentences.ts";
import {
  type BackedUpFile,
  createBackupName,
  createManifest,
  createUnfinishedName,
  isAbandoned,
  listBackups,
  toContentFolder,
  toManifestPath,
  toOutsideFolder,
} from "./backup-manifest.ts";
import { copyBlobs, type KnownBlobs } from "./copy-blobs.ts";
import { copyWithHash, hashFile } from "./copy-file.ts";
import { toDiskError } from "./disk-errors.ts";
import { linkIfUnchanged, type PreviousFiles, readPreviousFiles } from "./previous-backup.ts";
import { removeBackup } from "./remove-backup.ts";

export interface BackupOptions {
  readonly data: string;
  /** Folder of config.ini; some files next to the data folder belong to its content. */
  readonly root: string;
  /** Folder that contains the backups. */
  readonly to: string;
  /** Version of the service that makes the backup. */
  readonly version: string;
  readonly now: number;
  /** Count of backups to retain, including this one; absent: all. */
  readonly keep?: number;
  /** Exports rows stored outside the folder as databases into the given folder; returns sentences about omitted parts. */
  readonly rows?: ((into: string) => Promise<readonly ItemFailure[]>) | undefined;
  /** Files that rows refer to: compared with the data folder, and copied from external storage. */
  readonly blobs?: KnownBlobs;
  /** True omits files in external storage. Absent: the blob store decides. */
  readonly isWithoutFiles?: boolean | undefined;
  /** Paths of hand-edited files. A folder that this version has never started with does not list those next to it. */
  readonly editedFiles?: readonly string[];
}

/** Main database file, the source of truth; other state may lag behind it. */
export const MAIN_DATABASE = "parley.db";
/** File in the data folder that lists its databases. */
export const DATABASES_FILE = "databases.json";
const EVERY_PAGE = 2 ** 31 - 1;
/** Suffixes of files next to an open database; opening those would release its locks. */
const DATABASE_SIDE_SUFFIXES = ["-wal", "-shm", "-journal", ".accept-loss"];
/** Pattern of cache files, which every process has for itself. */
const CACHE_FILE = /^cache(-[^/]+)?\.db(-wal|-shm)?$/;
const IGNORED_ENTRIES = new Set(["backups", "logs", "instance.lock", "instance.json", "parley.lock"]);

/**
 * Backs up a data folder, even while a service uses it: databases as snapshots, then the files they refer to, wherever stored. Includes
 * everything acknowledged before the start. The backup gets its name only when it is complete and on disk.
 */
export async function makeBackup(options: BackupOptions): Promise<CreatedBackup> {
  const { data, to, rows, keep } = options;
  const databases = await readDatabaseList(data);
  const found = await listDataFiles(data, to, databases);
  if (!rows && !found.includes(MAIN_DATABASE))
    throw new AppError("bad_request", `${data} is no data folder: it has no ${MAIN_DATABASE}`);
  try {
    makeFolder(to);
    for (const name of await readdir(to)) if (isAbandoned(name)) await rm(join(to, name), { recursive: true });
    const made = await writeBackup({ ...options, databases, found });
    if (keep !== undefined) await removeOldBackups(to, keep);
    return made;
  } catch (error) {
    throw toDiskError("backup_disk", to, error);
  }
}

async function writeBackup(parts: Omit<FillOptions, "unfinished" | "before">): Promise<CreatedBackup> {
  const { to, version, now } = parts;
  const folder = join(to, createBackupName(now));
  const unfinished = join(to, createUnfinishedName(folder));
  try {
    await mkdir(toContentFolder(unfinished), { recursive: true, mode: 0o700 });
    const before = await readPreviousFiles(to, version);
    const { files, missing, ...counts } = await fill({ ...parts, unfinished, before });
    const outside = await copyOutsideFiles(parts, unfinished);
    const made = { created_at: new Date(now).toISOString(), product_version: version };
    const manifest = createManifest({ ...made, files, outside, missing });
    await writeFile(toManifestPath(unfinished), JSON.stringify(manifest, null, 2), { mode: 0o600, flush: true });
    await rename(unfinished, folder);
    await syncToDisk(to);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return { folder, files: files.length, bytes, ...counts, missing, left: missing.map(({ error }) => error) };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

interface FillOptions extends BackupOptions {
  readonly databases: ReadonlySet<string>;
  /** Files of the data folder to copy. */
  readonly found: readonly string[];
  readonly unfinished: string;
  readonly before: PreviousFiles;
}

/** Copies the rows first, then the folder, then the files from external storage. */
async function fill({ databases, found, rows, blobs, isWithoutFiles, ...parts }: FillOptions) {
  const { data, unfinished, before } = parts;
  const files: BackedUpFile[] = [];
  const missing = rows ? [] : [...databases].filter((path) => path.startsWith("..")).map(toOutsideWarning);
  let shared = 0;
  if (rows) {
    missing.push(...(await rows(toContentFolder(unfinished))));
    files.push(...(await listExported(toContentFolder(unfinished))));
  }
  // Database files next to a server are outdated and are left out.
  const toCopy = rows ? found.filter((path) => !databases.has(path) && path !== DATABASES_FILE) : found;
  for (const path of sortForCopy(toCopy, databases)) {
    const copied = await copyDataFile(data, unfinished, path, databases.has(path));
    if (!copied) continue;
    files.push(copied);
    const { sha256, isDatabase } = copied;
    if (!isDatabase && (await linkIfUnchanged(path, sha256, before, join(toContentFolder(unfinished), path))))
      shared += 1;
  }
  if (!blobs) return { files, missing, shared, named: 0 };
  const isExcluded = isWithoutFiles ?? blobs.store?.isOutsideBackups ?? false;
  const copiedBlobs = await copyBlobs({
    ...blobs,
    data,
    unfinished,
    before,
    database: MAIN_DATABASE,
    files,
    isExcluded,
  });
  return {
    files: [...files, ...copiedBlobs.files],
    missing: [...missing, ...copiedBlobs.warnings],
    shared: shared + copiedBlobs.shared,
    named: copiedBlobs.named,
    ...(blobs.store && { elsewhere: { place: blobs.store.place, files: copiedBlobs.externalCount } }),
  };
}

function toOutsideWarning(path: string): ItemFailure {
  return toAnswerMessage(sentence("left_outside", { path }));
}

/** Lists the databases exported from rows, after syncing them to disk. */
async function listExported(folder: string): Promise<readonly BackedUpFile[]> {
  const databases = await readDatabaseList(folder);
  const files: BackedUpFile[] = [];
  for (const path of await listDataFiles(folder, join(folder, "backups"), databases)) {
    await syncToDisk(join(folder, path));
    files.push({ path, isDatabase: databases.has(path), ...(await hashFile(join(folder, path))) });
  }
  return files;
}

/** Reads the list of databases that the storage wrote; an uploaded file may have a database's name. */
async function readDatabaseList(data: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(data, DATABASES_FILE), "utf8").catch(() => "{}");
  const { databases = [] } = JSON.parse(text) as { readonly databases?: readonly string[] };
  return new Set([MAIN_DATABASE, ...databases.map((path) => path.split(sep).join("/"))]);
}

/** Lists all data files below the folder as paths with `/`. Links are left out. */
async function listDataFiles(
  data: string,
  backupFolder: string,
  databases: ReadonlySet<string>,
): Promise<readonly string[]> {
  const sideFiles = new Set([...databases].flatMap((path) => DATABASE_SIDE_SUFFIXES.map((suffix) => path + suffix)));
  const entries = await readdir(data, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw new AppError("bad_request", `${data} cannot be read`, { cause });
  });
  return entries.flatMap((entry) => {
    const path = relative(data, join(entry.parentPath, entry.name)).split(sep).join("/");
    const isOther =
      IGNORED_ENTRIES.has(path.split("/")[0] ?? "") ||
      CACHE_FILE.test(path) ||
      isInside(backupFolder, join(data, path));
    return entry.isFile() && !isOther && !sideFiles.has(path) ? [path] : [];
  });
}

function isInside(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== "" && !way.startsWith("..");
}

// State that may lag is copied first and files last, so that no row names a missing file.
function sortForCopy(paths: readonly string[], databases: ReadonlySet<string>): readonly string[] {
  const rank = (path: string) => (path === MAIN_DATABASE ? 1 : databases.has(path) ? 0 : 2);
  return paths.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

async function copyDataFile(data: string, unfinished: string, path: string, isDatabase: boolean) {
  const [from, to] = [join(data, path), join(toContentFolder(unfinished), path)];
  if (isDatabase) return { path, isDatabase, ...(await copyDatabase(from, to)) };
  // The file may have been removed since it was listed.
  const copied = await copyWithHash(from, to).catch(ignoreMissing);
  return copied && { path, isDatabase, ...copied };
}

/** Copies the files next to the data folder that belong to it: those listed in it, and hand-edited ones. */
async function copyOutsideFiles(
  { data, root, editedFiles = [] }: Pick<BackupOptions, "data" | "root" | "editedFiles">,
  unfinished: string,
): Promise<readonly BackedUpFile[]> {
  const text = await readFile(join(data, "outside.json"), "utf8").catch(() => "{}");
  const { files = [] } = JSON.parse(text) as { readonly files?: readonly string[] };
  const edited = editedFiles.filter((path) => isBelow(root, path) && !isBelow(data, path));
  const copied: BackedUpFile[] = [];
  for (const path of new Set([...files, ...edited.map((one) => relative(root, one).split(sep).join("/"))])) {
    if (!existsSync(join(root, path))) continue;
    const copy = await copyWithHash(join(root, path), join(toOutsideFolder(unfinished), path));
    copied.push({ path, isDatabase: false, ...copy });
  }
  return copied;
}

/** Copies a database in one step; in several steps, a database with constant writes would restart forever. */
async function copyDatabase(from: string, to: string) {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  using source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  await backup(source, to, { rate: EVERY_PAGE });
  await syncToDisk(to);
  return await hashFile(to);
}

async function removeOldBackups(to: string, keep: number): Promise<void> {
  for (const old of (await listBackups(to)).slice(keep)) await removeBackup(old);
}
