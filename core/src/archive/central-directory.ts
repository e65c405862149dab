import { AppError } from "../errors.ts";
import { decodeNames } from "../text/decode-text.ts";
import { coreTexts } from "../texts.ts";

/** One entry of the archive's central directory. */
export interface DirectoryEntry {
  /** Name of the entry; a folder's ends with `/`. */
  readonly name: string;
  readonly method: "stored" | "deflated" | "unknown";
  readonly isEncrypted: boolean;
  readonly mode: "file" | "folder" | "other";
  readonly packedSize: number;
  readonly size: number;
  readonly checksum: number;
  /** The entry's bytes as stored in the archive (still packed). */
  data(): Uint8Array;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_LOCATOR_BYTES = 20;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_HEADER = Buffer.from("PK\u0003\u0004");
const LOCAL_HEADER_BYTES = 30;
const ZIP64_FIELD = 0x0001;
const MAX_COMMENT = 0xffff;
const IN_ZIP64_FIELD = 0xffffffff;

interface Directory {
  readonly at: number;
  readonly bytes: number;
  readonly count: number;
  /** Byte count in front of the archive, such as a picture that it was appended to. */
  readonly prefixBytes: number;
}

/** Reads the central directory of a ZIP archive, including ZIP64 sizes. Never reads beyond the archive. */
export function readDirectory(archive: Buffer, maxEntries: number): readonly DirectoryEntry[] {
  try {
    const { at, bytes, count, prefixBytes } = findDirectory(archive);
    if (count > maxEntries) {
      throw coreTexts.error("too_large", "archive_entries", { most: maxEntries });
    }
    const entries: DirectoryEntry[] = [];
    const rawNames: Buffer[] = [];
    let next = at;
    for (let index = 0; index < count; index += 1) {
      const { entry, rawName, end } = readEntry(archive, next, prefixBytes);
      entries.push(entry);
      rawNames.push(rawName);
      next = end;
    }
    if (next - at !== bytes) throw createDamagedError();
    const names = decodeNames(rawNames);
    return entries.map((entry, index) => ({ ...entry, name: names[index] ?? entry.name }));
  } catch (error) {
    // A read outside the bytes means that the archive is damaged.
    throw error instanceof RangeError ? createDamagedError(error) : error;
  }
}

/** Returns where the archive at the end of other bytes begins; undefined when they do not end with an archive. */
export function findArchiveStart(archive: Buffer): number | undefined {
  const start = archive.indexOf(LOCAL_HEADER);
  if (start < 0) return undefined;
  try {
    findDirectory(archive);
    return start;
  } catch (error) {
    if (error instanceof RangeError || AppError.is(error)) return undefined;
    throw error;
  }
}

function findDirectory(archive: Buffer): Directory {
  const end = findEnd(archive);
  const standard = {
    disk: archive.readUInt16LE(end + 4),
    count: archive.readUInt16LE(end + 10),
    bytes: archive.readUInt32LE(end + 12),
    offset: archive.readUInt32LE(end + 16),
  };
  const locator = end - ZIP64_LOCATOR_BYTES;
  const isZip64 = locator >= 0 && archive.readUInt32LE(locator) === ZIP64_LOCATOR_SIGNATURE;
  if (!isZip64) {
    if (standard.disk !== 0) throw createDamagedError();
    return toDirectory(end, standard);
  }
  const zip64End = readUint64(archive, locator + 8);
  if (archive.readUInt32LE(zip64End) !== ZIP64_END_SIGNATURE) throw createDamagedError();
  return toDirectory(zip64End, {
    count: readUint64(archive, zip64End + 32),
    bytes: readUint64(archive, zip64End + 40),
    offset: readUint64(archive, zip64End + 48),
  });
}

function toDirectory(
  end: number,
  { count, bytes, offset }: { readonly count: number; readonly bytes: number; readonly offset: number },
): Directory {
  const at = end - bytes;
  const shift = at - offset;
  if (at < 0 || shift < 0 || count * ENTRY_BYTES > bytes) throw createDamagedError();
  return { at, bytes, count, prefixBytes: shift };
}

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_BYTES - MAX_COMMENT);
  for (let at = archive.length - END_BYTES; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) !== END_SIGNATURE) continue;
    if (at + END_BYTES + archive.readUInt16LE(at + 20) === archive.length) return at;
  }
  throw createDamagedError();
}

function readEntry(archive: Buffer, at: number, shift: number) {
  if (archive.readUInt32LE(at) !== ENTRY_SIGNATURE) throw createDamagedError();
  const flags = archive.readUInt16LE(at + 8);
  const nameBytes = archive.readUInt16LE(at + 28);
  const extraBytes = archive.readUInt16LE(at + 30);
  const end = at + ENTRY_BYTES + nameBytes + extraBytes + archive.readUInt16LE(at + 32);
  if (end > archive.length) throw createDamagedError();
  const rawName = archive.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
  const extra = archive.subarray(at + ENTRY_BYTES + nameBytes, at + ENTRY_BYTES + nameBytes + extraBytes);
  const readZip64 = createZip64Reader(extra);
  const readSize = (offset: number) => {
    const value = archive.readUInt32LE(at + offset);
    return value === IN_ZIP64_FIELD ? readZip64() : value;
  };
  // Order of the values in the ZIP64 field.
  const size = readSize(24);
  const packedSize = readSize(20);
  const start = readSize(42) + shift;
  const name = rawName.toString("latin1");
  const entry: DirectoryEntry = {
    name,
    method: METHODS.get(archive.readUInt16LE(at + 10)) ?? "unknown",
    isEncrypted: (flags & 0x2041) !== 0,
    mode: toMode(archive.readUInt8(at + 5), archive.readUInt32LE(at + 38), name),
    packedSize,
    size,
    checksum: archive.readUInt32LE(at + 16),
    data: () => readData(archive, start, { rawName, packedSize }),
  };
  return { entry, rawName, end };
}

const METHODS: ReadonlyMap<number, DirectoryEntry["method"]> = new Map([
  [0, "stored"],
  [8, "deflated"],
]);

/** Returns an entry's packed data; throws when its local header is damaged or names another file. */
function readData(
  archive: Buffer,
  start: number,
  { rawName, packedSize }: { readonly rawName: Buffer; readonly packedSize: number },
): Uint8Array {
  if (start + LOCAL_HEADER_BYTES > archive.length || archive.readUInt32LE(start) !== LOCAL_SIGNATURE)
    throw createDamagedError();
  const nameAt = start + LOCAL_HEADER_BYTES;
  const dataStart = nameAt + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
  const dataEnd = dataStart + packedSize;
  if (dataEnd > archive.length || !archive.subarray(nameAt, nameAt + rawName.length).equals(rawName))
    throw createDamagedError();
  return archive.subarray(dataStart, dataEnd);
}

function createZip64Reader(extra: Buffer): () => number {
  let field = 0;
  while (field + 4 <= extra.length && extra.readUInt16LE(field) !== ZIP64_FIELD)
    field += 4 + extra.readUInt16LE(field + 2);
  let next = field + 4;
  return () => {
    const value = readUint64(extra, next);
    next += 8;
    return value;
  };
}

function readUint64(buffer: Buffer, at: number): number {
  const value = buffer.readBigUInt64LE(at);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw createDamagedError();
  return Number(value);
}

const UNIX_SYSTEMS = [3, 19];

function toMode(system: number, attributes: number, name: string): DirectoryEntry["mode"] {
  const type = UNIX_SYSTEMS.includes(system) ? (attributes >>> 28) & 0xf : 0;
  if (type !== 0 && type !== 0x8 && type !== 0x4) return "other";
  return name.endsWith("/") || type === 0x4 ? "folder" : "file";
}

function createDamagedError(cause?: unknown): AppError {
  return coreTexts.error("bad_request", "archive_broken", {}, { cause });
}
