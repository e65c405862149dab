import type { CleanPicture } from "./clean-picture.ts";

const SCAN_MARKER = 0xda;
const END_MARKER = 0xd9;
const EXIF_MARKER = 0xe1;
/** Markers of JFIF, colour profiles and Adobe's colour transform; other segments and comments are removed. */
const VISIBLE_APP_MARKERS = new Set([0xe0, 0xe2, 0xee]);
const COMMENT_MARKER = 0xfe;

export function cleanJpeg(bytes: Buffer): CleanPicture {
  const parts: Buffer[] = [bytes.subarray(0, 2)];
  let size: readonly [number, number] | undefined;
  let orientation: number | undefined;
  let hasScan = false;
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) throw new RangeError("no segment");
    const marker = bytes.readUInt8(at + 1);
    // A marker may follow any number of these fill bytes.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END_MARKER) {
      if (!size || !hasScan) throw new RangeError("no picture in it");
      const [width, height] = size;
      return {
        bytes: Buffer.concat([...addOrientation(parts, orientation), bytes.subarray(at, at + 2)]),
        width,
        height,
      };
    }
    const next = at + 2 + bytes.readUInt16BE(at + 2);
    if (next > bytes.length) throw new RangeError("a segment ends too early");
    if (marker === EXIF_MARKER) orientation ??= readOrientation(bytes.subarray(at + 4, next));
    if (isFrame(marker)) size ??= [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    const end = marker === SCAN_MARKER ? findScanEnd(bytes, next) : next;
    hasScan ||= marker === SCAN_MARKER;
    if (isVisibleSegment(marker)) parts.push(bytes.subarray(at, end));
    at = end;
  }
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function isVisibleSegment(marker: number): boolean {
  const isApp = marker >= 0xe0 && marker <= 0xef;
  return isApp ? VISIBLE_APP_MARKERS.has(marker) : marker !== COMMENT_MARKER;
}

/** Returns the start of the next segment; markers within a scan are escaped. */
function findScanEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes.readUInt8(at + 1);
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
  }
  throw new RangeError("the scan has no end");
}

const ORIENTATION_TAG = 0x0112;

/** Reads the orientation from Exif data; undefined if there is none. */
function readOrientation(segment: Buffer): number | undefined {
  if (segment.toString("latin1", 0, 6) !== "Exif\0\0") return undefined;
  const tiff = segment.subarray(6);
  if (tiff.length < 8) return undefined;
  const isLittle = tiff.toString("latin1", 0, 2) === "II";
  const word = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  // Metadata may be damaged although the picture is not.
  const count = first + 2 <= tiff.length ? word(first) : 0;
  for (let index = 0; index < count && first + 14 + index * 12 <= tiff.length; index += 1) {
    const entry = first + 2 + index * 12;
    if (word(entry) === ORIENTATION_TAG) return word(entry + 8);
  }
  return undefined;
}

/** Adds an Exif segment with the orientation alone. */
function addOrientation(
  [start = Buffer.alloc(0), ...parts]: readonly Buffer[],
  orientation: number | undefined,
): readonly Buffer[] {
  if (orientation === undefined || orientation < 2 || orientation > 8) return [start, ...parts];
  const segment = Buffer.from("ffe1002245786966000049492a000800000001001201030001000000000000000000000000", "hex");
  segment.writeUInt16BE(segment.length - 2, 2);
  segment.writeUInt16LE(orientation, 28);
  return [start, segment, ...parts];
}
