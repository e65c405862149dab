import type { CleanPicture } from "./picture.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
/** How often an animation runs. */
const LOOPS = ["NETSCAPE2.0", "ANIMEXTS1.0"];

export function cleanGif(bytes: Buffer): CleanPicture {
  const width = bytes.readUInt16LE(6);
  const height = bytes.readUInt16LE(8);
  const parts: Buffer[] = [bytes.subarray(0, 13 + tableBytes(bytes.readUInt8(10)))];
  let hasImage = false;
  for (let at = 13 + tableBytes(bytes.readUInt8(10)); ; ) {
    const kind = bytes.readUInt8(at);
    if (kind === TRAILER) {
      if (!hasImage) throw new RangeError("no picture in it");
      return { bytes: Buffer.concat([...parts, Buffer.from([TRAILER])]), width, height };
    }
    if (kind !== IMAGE && kind !== EXTENSION) throw new RangeError("an unknown part");
    const dataAt = kind === IMAGE ? at + 11 + tableBytes(bytes.readUInt8(at + 9)) : at + 2;
    const end = endOfBlocks(bytes, dataAt);
    if (kind === IMAGE || isShown(bytes, at)) parts.push(bytes.subarray(at, end));
    hasImage ||= kind === IMAGE;
    at = end;
  }
}

function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

function endOfBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const size = bytes.readUInt8(at);
    at += 1 + size;
    if (size === 0) return at;
  }
}

function isShown(bytes: Buffer, at: number): boolean {
  const label = bytes.readUInt8(at + 1);
  return label === CONTROL || (label === APPLICATION && LOOPS.includes(bytes.toString("latin1", at + 3, at + 14)));
}
