import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import { ARCHIVE_LIMITS } from "./open-archive.ts";

/** A file to add to an archive. */
export interface ArchiveFile {
  /** Path with `/` between folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const deflate = promisify(deflateRaw) as (bytes: Uint8Array) => Promise<Buffer>;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
/** 1 January 1980, so that equal files give an equal archive. */
const FIXED_DATE = 0x0021;

/** Creates a ZIP archive of these files, readable by `openArchive`; packs off the event loop. */
export async function writeArchive(files: readonly ArchiveFile[]): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes } of files) {
    const deflated = await deflate(bytes);
    // Entries that compress like a zip bomb are stored unpacked, since reading would reject them.
    const isPacked = deflated.length < bytes.length && bytes.length <= deflated.length * ARCHIVE_LIMITS.maxRatio;
    const data = isPacked ? deflated : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const rawName = Buffer.from(name);
    const header = encodeHeader({ isPacked, data, bytes, rawName });
    const local = Buffer.concat([encodeUint32(0x04034b50), header, rawName]);
    const versions = Buffer.from([VERSION, 0]);
    directory.push(
      Buffer.concat([encodeUint32(0x02014b50), versions, header, Buffer.alloc(10), encodeUint32(at), rawName]),
    );
    parts.push(local, data);
    at += local.length + data.length;
  }
  const centralDirectory = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(centralDirectory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, centralDirectory, end]);
}

interface Header {
  readonly isPacked: boolean;
  readonly data: Uint8Array;
  readonly bytes: Uint8Array;
  readonly rawName: Uint8Array;
}

/** Encodes the 26 header bytes that the central directory and the local file header share. */
function encodeHeader({ isPacked, data, bytes, rawName }: Header): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(VERSION, 0);
  header.writeUInt16LE(UTF8_NAMES, 2);
  header.writeUInt16LE(isPacked ? 8 : 0, 4);
  header.writeUInt16LE(0, 6);
  header.writeUInt16LE(FIXED_DATE, 8);
  header.writeUInt32LE(crc32(bytes), 10);
  header.writeUInt32LE(data.length, 14);
  header.writeUInt32LE(bytes.length, 18);
  header.writeUInt16LE(rawName.length, 22);
  return header;
}

function encodeUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
