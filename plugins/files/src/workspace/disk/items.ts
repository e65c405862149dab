import { hash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { AppError, entityTag, relativeParts, type WorkspaceArea, type WorkspaceItem } from "@parley/core";
import { detectContentType, HEAD_BYTES } from "../../store/content-type.ts";
import { filesTexts } from "../../texts.ts";
import { type Entry, type Folder, openEntry, openFolder, toNameKey } from "./folders.ts";

const MAX_DEPTH = 10;
const CONCURRENCY = 64;
/** Maximum number of entries read. It exceeds a workspace's capacity, and limits the reading of foreign content. */
const MAX_ENTRIES = 50_000;

/** Name and type of an entry, as a listing has them. */
export interface FoundEntry {
  readonly parts: readonly string[];
  readonly isFolder: boolean;
}

/** Lists files and folders below an open folder by name, without links and entries with unusable names. */
export async function listEntries(
  folder: Folder,
  above: readonly string[],
  isDeep: boolean,
  found: FoundEntry[] = [],
): Promise<readonly FoundEntry[]> {
  for (const entry of await readdir(folder.path, { withFileTypes: true })) {
    if (found.length >= MAX_ENTRIES) return found;
    const isFolder = entry.isDirectory();
    if ((!isFolder && !entry.isFile()) || !isAddressable(entry.name)) continue;
    const parts = [...above, entry.name];
    found.push({ parts, isFolder });
    if (!isDeep || !isFolder || parts.length >= MAX_DEPTH) continue;
    await using inner = await openFolder(join(folder.path, entry.name));
    if (inner) await listEntries(inner, parts, true, found);
  }
  return found;
}

function isAddressable(name: string): boolean {
  try {
    relativeParts(name);
    return !name.includes("/");
  } catch (error) {
    if (AppError.is(error)) return false;
    throw error;
  }
}

/** Sorts folders first, then by name. */
export function sortEntries(found: readonly FoundEntry[]): readonly FoundEntry[] {
  const keyed = found.map((one) => ({ one, key: toNameKey(one.parts.join("/")) }));
  keyed.sort((a, b) => Number(b.one.isFolder) - Number(a.one.isFolder) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ one }) => one);
}

/** Reads an item of a folder; undefined when it is gone or a link. */
export async function readItem(
  area: WorkspaceArea,
  folder: Folder,
  parts: readonly string[],
): Promise<WorkspaceItem | undefined> {
  await using entry = await openEntry(folder, parts.at(-1) ?? "");
  return entry && (await toItem(area, parts, entry));
}

export async function toItem(
  { scope, sessionId }: WorkspaceArea,
  parts: readonly string[],
  { stats, handle }: Entry,
): Promise<WorkspaceItem> {
  const name = (parts.at(-1) ?? "").normalize("NFC");
  const isFolder = stats.isDirectory();
  const head = Buffer.alloc(isFolder ? 0 : HEAD_BYTES);
  const read = isFolder ? 0 : (await handle.read(head, 0, HEAD_BYTES, 0)).bytesRead;
  return {
    name,
    path: parts.join("/").normalize("NFC"),
    type: isFolder ? "directory" : "file",
    size: isFolder ? 0 : Number(stats.size),
    mime_type: isFolder ? "inode/directory" : detectContentType(head.subarray(0, read), name),
    modified_at: new Date(Number(stats.mtimeMs)).toISOString(),
    scope,
    session_id: sessionId ?? null,
    etag: entityTag(toRevision(stats)),
  };
}

/** Returns a revision that changes with every write, since each creates a new file. At most 15 digits, as `If-Match` requires. */
export function toRevision({ ino, size, mtimeNs }: BigIntStats): number {
  return hash("sha256", `${ino} ${size} ${mtimeNs}`, "buffer").readUIntBE(0, 6);
}

/** Size of a folder's content; links count as files. */
export interface FolderSize {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
  readonly depth: number;
}

export const EMPTY_SIZE: FolderSize = { files: 0, folders: 0, bytes: 0, depth: 0 };

export async function measureFolder(folder: Folder): Promise<FolderSize> {
  let { files, folders, bytes, depth } = EMPTY_SIZE;
  const entries = await readdir(folder.path, { withFileTypes: true });
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  for (let at = 0; at < names.length; at += CONCURRENCY) {
    const some = names.slice(at, at + CONCURRENCY).map((name) => lstat(join(folder.path, name)).catch(() => undefined));
    for (const stats of await Promise.all(some)) bytes += stats?.size ?? 0;
  }
  files += names.length;
  if (entries.length > 0) depth = 1;
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    await using inner = await openFolder(join(folder.path, entry.name));
    const below = inner ? await measureFolder(inner) : EMPTY_SIZE;
    files += below.files;
    folders += below.folders + 1;
    bytes += below.bytes;
    depth = Math.max(depth, below.depth + 1);
  }
  return { files, folders, bytes, depth };
}

export async function measureEntry(folder: Folder, name: string, { type, size }: WorkspaceItem): Promise<FolderSize> {
  if (type === "file") return { files: 1, folders: 0, bytes: size, depth: 1 };
  await using inner = await openFolder(join(folder.path, name));
  const below = inner ? await measureFolder(inner) : EMPTY_SIZE;
  return { ...below, folders: below.folders + 1, depth: below.depth + 1 };
}

export function checkRevision(ifMatch: number | undefined, entry: Entry | undefined): void {
  if (ifMatch === undefined) return;
  if (!entry || toRevision(entry.stats) !== ifMatch) throw filesTexts.error("conflict", "changed");
}
