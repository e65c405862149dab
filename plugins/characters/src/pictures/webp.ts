import type { CleanPicture } from "./clean-picture.ts";

const VISIBLE_CHUNKS = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** Flags of VP8X for locations (EXIF) and descriptions (XMP). */
const METADATA_FLAGS = 0x08 | 0x04;

export function cleanWebp(bytes: Buffer): CleanPicture {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) throw new RangeError("it ends too early");
  const parts: Buffer[] = [];
  for (let at = 12; at + 8 <= end; ) {
    const size = bytes.readUInt32LE(at + 4);
    const next = at + 8 + size + (size % 2);
    if (next > bytes.length) throw new RangeError("a part ends too early");
    const type = bytes.toString("latin1", at, at + 4);
    if (VISIBLE_CHUNKS.has(type))
      parts.push(type === "VP8X" ? clearMetadataFlags(bytes.subarray(at, next)) : bytes.subarray(at, next));
    at = next;
  }
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt32LE(4 + parts.reduce((sum, part) => sum + part.length, 0), 4);
  const clean = Buffer.concat([head, ...parts]);
  const [width, height] = readSize(clean);
  return { bytes: clean, width, height };
}

function clearMetadataFlags(part: Buffer): Buffer {
  const copy = Buffer.from(part);
  copy.writeUInt8(copy.readUInt8(8) & ~METADATA_FLAGS, 8);
  return copy;
}

function readSize(bytes: Buffer): readonly [number, number] {
  const form = bytes.toString("latin1", 12, 16);
  if (form === "VP8X") return [1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3)];
  if (form === "VP8 ") return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (form !== "VP8L") throw new RangeError("no picture in it");
  const bits = bytes.readUInt32LE(21);
  return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)];
}
