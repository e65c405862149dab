import { type FileHandle, open } from "node:fs/promises";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;

interface WalFrame {
  /** True when the checksum matches the data before it. */
  readonly fits: boolean;
  /** True for the last frame of a transaction. */
  readonly isCommit: boolean;
  readonly salts: string;
}

/** Checksum of the last frame, as stored and as computed. */
interface ChecksumChain {
  readonly stored: Buffer;
  readonly found: Buffer;
}

/**
 * Detects committed transactions that a write-ahead log has lost: SQLite reads up to the first frame with a wrong
 * checksum and silently ignores the rest. The end of a log may be torn: a crash leaves frames of the transaction
 * being written, in any order, and frames of an earlier use with other salts. But a transaction begins only after the
 * previous one is on disk, so a frame that continues the checksum of a commit proves that this commit and everything
 * before it were complete. Returns the first bad frame (0: the header); `of` is the later one that proves the loss.
 */
export async function findLostFrames(
  file: string,
): Promise<{ readonly frame: number; readonly of: number } | undefined> {
  const wal = await open(`${file}-wal`, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  try {
    return wal && (await scanWal(wal, file));
  } finally {
    await wal?.close();
  }
}

async function scanWal(wal: FileHandle, file: string) {
  const header = await readBytes(wal, 0, HEADER_BYTES);
  const pageBytes = await readPageSize(file);
  if (header === undefined || pageBytes === undefined) return undefined;
  const magic = header.readUInt32BE(0);
  const isBigEndian = magic === MAGIC + 1;
  const extend = (bytes: Buffer, from: Buffer) => continueChecksum(bytes, from, isBigEndian);
  const ownSalts = header.toString("hex", 16, 24);
  let chain: ChecksumChain = { stored: header.subarray(24), found: extend(header.subarray(0, 24), ZERO_CHECKSUM) };
  const isHeaderWhole = (magic === MAGIC || isBigEndian) && chain.found.equals(chain.stored);
  let bad = isHeaderWhole ? undefined : 0;
  let before: WalFrame | undefined;
  for (let number = 1; ; number += 1) {
    const frameBytes = FRAME_HEADER_BYTES + pageBytes;
    const bytes = await readBytes(wal, HEADER_BYTES + (number - 1) * frameBytes, frameBytes);
    if (bytes === undefined) return undefined;
    const stored = bytes.subarray(16, 24);
    const toChecksum = (from: Buffer) => extend(bytes.subarray(FRAME_HEADER_BYTES), extend(bytes.subarray(0, 8), from));
    const found = toChecksum(chain.stored);
    const frame: WalFrame = {
      // The damage may be in the previous checksum rather than in the data.
      fits: found.equals(stored) || (!chain.found.equals(chain.stored) && toChecksum(chain.found).equals(stored)),
      isCommit: bytes.readUInt32BE(4) !== 0,
      salts: bytes.toString("hex", 8, 16),
    };
    const isOurs = frame.salts === (isHeaderWhole ? ownSalts : before?.salts);
    if (bad !== undefined && before?.isCommit && frame.fits && isOurs) return { frame: bad, of: number };
    if (!found.equals(stored) || (isHeaderWhole && !isOurs)) bad ??= number;
    before = frame;
    chain = { stored, found };
  }
}

const ZERO_CHECKSUM = Buffer.alloc(8);

/** Computes SQLite's checksum of a log, continuing from `from`. */
function continueChecksum(bytes: Buffer, from: Buffer, isBigEndian: boolean): Buffer {
  let one = from.readUInt32BE(0);
  let other = from.readUInt32BE(4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    one = (one + view.getUint32(at, !isBigEndian) + other) >>> 0;
    other = (other + view.getUint32(at + 4, !isBigEndian) + one) >>> 0;
  }
  const result = Buffer.alloc(8);
  result.writeUInt32BE(one, 0);
  result.writeUInt32BE(other, 4);
  return result;
}

async function readPageSize(file: string): Promise<number | undefined> {
  const database = await open(file, "r");
  try {
    const size = (await readBytes(database, 0, 18))?.readUInt16BE(16);
    return size === 1 ? 65_536 : size || undefined;
  } finally {
    await database.close();
  }
}

async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer | undefined> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, position);
  return bytesRead === length ? bytes : undefined;
}
