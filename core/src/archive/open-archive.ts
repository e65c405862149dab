import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import type { AppError } from "../errors.ts";
import { coreTexts } from "../texts.ts";
import { type DirectoryEntry, findArchiveStart, readDirectory } from "./central-directory.ts";
import { findNameProblem, toNameKey } from "./entry-names.ts";

const MEBIBYTE = 1024 * 1024;

/** Limits above which an archive is rejected. */
export interface ArchiveLimits {
  readonly maxPackedBytes: number;
  /** Maximum unpacked size of all entries together. */
  readonly maxBytes: number;
  readonly maxEntries: number;
  /** Maximum ratio of unpacked to packed size of each entry. */
  readonly maxRatio: number;
}

/** Default limits of an archive. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  maxPackedBytes: 50 * MEBIBYTE,
  maxBytes: 200 * MEBIBYTE,
  maxEntries: 1_000,
  maxRatio: 100,
};

/** A file in an archive. */
export interface ArchiveEntry {
  /** Relative path with `/` between folders, checked against path traversal. */
  readonly name: string;
  /** Unpacked size as the archive declares it; unpacking stops there. */
  readonly size: number;
  /** Unpacks the file off the event loop. Rejects with `bad_request` when it differs from its directory entry, `too_large` above `maxBytes`. */
  bytes(maxBytes?: number): Promise<Uint8Array>;
}

/** Returns true when the bytes begin with a ZIP signature. */
export function isArchive(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 4).join();
  return start === "80,75,3,4" || start === "80,75,5,6";
}

/** Returns the bytes in front of an archive that was appended to another file, such as a picture; undefined without such an archive. */
export function findPrefix(bytes: Uint8Array): Uint8Array | undefined {
  if (isArchive(bytes)) return undefined;
  const at = findArchiveStart(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  return at === undefined ? undefined : bytes.subarray(0, at);
}

/**
 * Opens an untrusted ZIP archive and lists its files without unpacking them. Throws `too_large` above the limits,
 * `bad_request` for encrypted or duplicate entries, unsafe names and anything but plain files.
 */
export function openArchive(bytes: Uint8Array, limits: ArchiveLimits = ARCHIVE_LIMITS): readonly ArchiveEntry[] {
  const { maxPackedBytes, maxBytes, maxEntries } = limits;
  if (bytes.length > maxPackedBytes)
    throw coreTexts.error("too_large", "archive_packed", { most: formatMebibytes(maxPackedBytes) });
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries = readDirectory(archive, maxEntries);
  const names = new Set<string>();
  let total = 0;
  for (const entry of entries) {
    checkEntry(entry, limits);
    const key = toNameKey(entry.name);
    if (names.has(key)) throw createEntryError("archive_twice", entry.name);
    names.add(key);
    total += entry.size;
    if (total > maxBytes) throw coreTexts.error("too_large", "archive_unpacked", { most: formatMebibytes(maxBytes) });
  }
  return entries
    .filter(({ name }) => !name.endsWith("/"))
    .map(({ name, ...entry }) => ({
      name,
      size: entry.size,
      async bytes(most = maxBytes) {
        if (entry.size > most)
          throw coreTexts.error("too_large", "archive_entry_large", {
            name: toSafeName(name),
            most: formatMebibytes(most),
          });
        return unpack(entry.data(), { name, ...entry });
      },
    }));
}

function checkEntry(
  { name, size, packedSize, mode, isEncrypted, method }: DirectoryEntry,
  { maxRatio }: ArchiveLimits,
) {
  const problem = findNameProblem(name);
  if (problem) throw coreTexts.error("bad_request", "archive_name", { name: toSafeName(name), problem });
  if (isEncrypted) throw createEntryError("archive_encrypted", name);
  if (method !== "stored" && method !== "deflated") throw createEntryError("archive_method", name);
  if (mode !== "file" && mode !== "folder") throw createEntryError("archive_no_file", name);
  if (size > packedSize * maxRatio)
    throw coreTexts.error("too_large", "archive_ratio", { name: toSafeName(name), most: maxRatio });
}

const inflate = promisify(inflateRaw) as (
  data: Uint8Array,
  options: { readonly maxOutputLength: number },
) => Promise<Buffer>;

async function unpack(data: Uint8Array, { name, method, size, checksum }: DirectoryEntry): Promise<Uint8Array> {
  // Node accepts no limit of 0, and one byte more reveals a wrong size.
  const found =
    method === "stored" ? data : await inflate(data, { maxOutputLength: size + 1 }).catch(rejectBroken(name));
  if (found.length !== size || crc32(found) !== checksum) throw createEntryError("archive_entry_broken", name);
  return found;
}

function rejectBroken(name: string) {
  return (cause: unknown): never => {
    throw createEntryError("archive_entry_broken", name, cause);
  };
}

function toSafeName(name: string): string {
  return [...name.replaceAll(/[\p{C}']/gu, "_")].slice(0, 80).join("");
}

function formatMebibytes(bytes: number): string {
  return `${Math.floor(bytes / MEBIBYTE)} MiB`;
}

type EntryProblem =
  | "archive_twice"
  | "archive_encrypted"
  | "archive_method"
  | "archive_no_file"
  | "archive_entry_broken";

function createEntryError(why: EntryProblem, name: string, cause?: unknown): AppError {
  return coreTexts.error("bad_request", why, { name: toSafeName(name) }, { cause });
}
