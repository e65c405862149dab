/** Reads width and height from the first bytes of an image; both are null when not found. */
export function readImageSize(bytes: Uint8Array): { readonly width: number | null; readonly height: number | null } {
  const view = Buffer.from(bytes);
  try {
    const [width, height] = readSize(view) ?? [null, null];
    return { width, height };
  } catch (error) {
    // The file ends before the size fields.
    if (error instanceof RangeError) return { width: null, height: null };
    throw error;
  }
}

function readSize(view: Buffer): readonly [number, number] | undefined {
  const start = view.toString("latin1", 0, 16);
  if (start.startsWith("\x89PNG")) return [view.readUInt32BE(16), view.readUInt32BE(20)];
  if (start.startsWith("GIF8")) return [view.readUInt16LE(6), view.readUInt16LE(8)];
  if (start.startsWith("\xff\xd8")) return readJpegSize(view);
  if (start.startsWith("WEBP", 8)) return readWebpSize(view, start.slice(12, 16));
  return undefined;
}

/** Reads the size from the first frame header, which other segments may precede. */
function readJpegSize(view: Buffer): readonly [number, number] | undefined {
  for (let at = 2; view.readUInt8(at) === 0xff; ) {
    const marker = view.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.readUInt16BE(at + 7), view.readUInt16BE(at + 5)];
    at += 2 + view.readUInt16BE(at + 2);
  }
  return undefined;
}

function readWebpSize(view: Buffer, form: string): readonly [number, number] | undefined {
  if (form === "VP8X") return [1 + view.readUIntLE(24, 3), 1 + view.readUIntLE(27, 3)];
  if (form === "VP8 ") return [view.readUInt16LE(26) & 0x3fff, view.readUInt16LE(28) & 0x3fff];
  if (form !== "VP8L") return undefined;
  const bits = view.readUInt32LE(21);
  return [1 + (bits & 0x3fff), 1 + ((bits >> 14) & 0x3fff)];
}
