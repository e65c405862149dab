import type { CleanPicture } from "./clean-picture.ts";

const EXTENSION_BLOCK = 0x21;
const IMAGE_BLOCK = 0x2c;
const TRAILER_BLOCK = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION_EXTENSION = 0xff;
/** Extensions with the loop count of an animation. */
const LOOP_EXTENSIONS = ["NETSCAPE2.0", "ANIMEXTS1.0"];

export function cleanGif(bytes: Buffer): CleanPicture {
  const width = bytes.readUInt16LE(6);
  const height = bytes.readUInt16LE(8);
  const parts: Buffer[] = [bytes.subarray(0, 13 + colorTableBytes(bytes.readUInt8(10)))];
  let hasImage = false;
  for (let at = 13 + colorTableBytes(bytes.readUInt8(10)); ; ) {
    const kind = bytes.readUInt8(at);
    if (kind === TRAILER_BLOCK) {
      if (!hasImage) throw new RangeError("no picture in it");
      return { bytes: Buffer.concat([...parts, Buffer.from([TRAILER_BLOCK])]), width, height };
    }
    if (kind !== IMAGE_BLOCK && kind !== EXTENSION_BLOCK) throw new RangeError("an unknown part");
    const dataAt = kind === IMAGE_BLOCK ? at + 11 + colorTableBytes(bytes.readUInt8(at + 9)) : at + 2;
    const end = findBlocksEnd(bytes, dataAt);
    if (kind === IMAGE_BLOCK || isVisibleExtension(bytes, at)) parts.push(bytes.subarray(at, end));
    hasImage ||= kind === IMAGE_BLOCK;
    at = end;
  }
}

function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

function findBlocksEnd(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const size = bytes.readUInt8(at);
    at += 1 + size;
    if (size === 0) return at;
  }
}

function isVisibleExtension(bytes: Buffer, at: number): boolean {
  const label = bytes.readUInt8(at + 1);
  return (
    label === GRAPHIC_CONTROL ||
    (label === APPLICATION_EXTENSION && LOOP_EXTENSIONS.includes(bytes.toString("latin1", at + 3, at + 14)))
  );
}
