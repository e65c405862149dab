import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import { AppError } from "../errors.ts";
import { type DirectoryEntry, readDirectory } from "./directory.ts";
import { nameKey, nameProblem } from "./entry-names.ts";

const MEBIBYTE = 1024 * 1024;

/** How much an archive may hold before it is refused. */
export interface ArchiveLimits {
  readonly maxPackedBytes: number;
  /** All entries together, unpacked. */
  readonly maxBytes: number;
  readonly maxEntries: number;
  /** Unpacked to packed, of each entry. */
  readonly maxRatio: number;
}

/** What an archive may be. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  maxPackedBytes: 50 * MEBIBYTE,
  maxBytes: 200 * MEBIBYTE,
  maxEntries: 1_000,
  maxRatio: 100,
};

/** A file in an archive. */
export interface ArchiveEntry {
  /** With `/` between folders; a plain relative path, whatever the archive is. */
  readonly name: string;
  /** Unpacked, as the archive says; nothing more is ever unpacked. */
  readonly size: number;
  /** Unpacks it off the event loop; `bad_request` when it is not what the archive says, `too_large` above `maxBytes`. */
  bytes(maxBytes?: number): Promise<Uint8Array>;
}

/** Whether these bytes begin as a ZIP archive does. */
export function isArchive(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 4).join();
  return start === "80,75,3,4" || start === "80,75,5,6";
}

/**
 * The one way to look into a ZIP archive of a stranger. Says which files are in it and unpacks none by itself. What is too
 * large is `too_large`; what could lead out of a folder, is no plain file, is there twice or encrypted is `bad_request`.
 */
export function openArchive(bytes: Uint8Array, limits: ArchiveLimits = ARCHIVE_LIMITS): readonly ArchiveEntry[] {
  const { maxPackedBytes, maxBytes, maxEntries } = limits;
  if (bytes.length > maxPackedBytes) throw tooLarge(`it is larger than ${inMebibytes(maxPackedBytes)}`);
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries = readDirectory(archive, maxEntries);
  const names = new Set<string>();
  let total = 0;
  for (const entry of entries) {
    checkEntry(entry, limits);
    const key = nameKey(entry.name);
    if (names.has(key)) throw refused(`'${shown(entry.name)}' is in it twice`);
    names.add(key);
    total += entry.size;
    if (total > maxBytes) throw tooLarge(`it unpacks to more than ${inMebibytes(maxBytes)}`);
  }
  return entries
    .filter(({ name }) => !name.endsWith("/"))
    .map(({ name, ...entry }) => ({
      name,
      size: entry.size,
      async bytes(most = maxBytes) {
        if (entry.size > most) throw tooLarge(`'${shown(name)}' is larger than ${inMebibytes(most)}`);
        return unpacked(entry.data(), { name, ...entry });
      },
    }));
}

function checkEntry(
  { name, size, packedSize, mode, isEncrypted, method }: DirectoryEntry,
  { maxRatio }: ArchiveLimits,
) {
  const problem = nameProblem(name);
  if (problem) throw refused(`'${shown(name)}' ${problem}`);
  if (isEncrypted) throw refused(`'${shown(name)}' is encrypted`);
  if (method !== "stored" && method !== "deflated") throw refused(`'${shown(name)}' is packed in an unknown way`);
  if (mode !== "file" && mode !== "folder") throw refused(`'${shown(name)}' is no plain file`);
  if (size > packedSize * maxRatio) throw tooLarge(`'${shown(name)}' unpacks to more than ${maxRatio} times its size`);
}

const inflate = promisify(inflateRaw) as (
  data: Uint8Array,
  options: { readonly maxOutputLength: number },
) => Promise<Buffer>;

async function unpacked(data: Uint8Array, { name, method, size, checksum }: DirectoryEntry): Promise<Uint8Array> {
  // Node takes no limit of 0, and one byte more tells a lie from the truth.
  const found = method === "stored" ? data : await inflate(data, { maxOutputLength: size + 1 }).catch(broken(name));
  if (found.length !== size || crc32(found) !== checksum) throw refused(`'${shown(name)}' is damaged`);
  return found;
}

function broken(name: string) {
  return (cause: unknown): never => {
    throw refused(`'${shown(name)}' is damaged`, cause);
  };
}

function shown(name: string): string {
  return [...name.replaceAll(/[\p{C}']/gu, "_")].slice(0, 80).join("");
}

function inMebibytes(bytes: number): string {
  return `${Math.floor(bytes / MEBIBYTE)} MiB`;
}

function refused(reason: string, cause?: unknown): AppError {
  return new AppError("bad_request", `the archive cannot be used: ${reason}`, { cause });
}

function tooLarge(reason: string): AppError {
  return new AppError("too_large", `the archive is too large: ${reason}`);
}
