import { crc32, inflateSync } from "node:zlib";
import type { AppError } from "@parley/core";
import { cardTexts } from "../../texts.ts";
import { MAX_CARD_BYTES } from "./card-json.ts";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const MAX_TEXT_BYTES = Math.ceil((MAX_CARD_BYTES * 4) / 3) + 4;
/** The names of the chunks that hold a card; of V3 and of V2. */
export const CARD_KEYWORDS = ["ccv3", "chara"] as const;
export type CardKeyword = (typeof CARD_KEYWORDS)[number];

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** The whole chunk with its length and checksum. */
  readonly whole: Buffer;
}

export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));
}

/** Returns the chunks of a PNG picture up to its end; throws `bad_request` when the picture is damaged. */
export function readPngChunks(bytes: Uint8Array): readonly Chunk[] {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > png.length) break;
    if (crc32(png.subarray(at + 4, end - 4)) !== png.readUInt32BE(end - 4)) throw createDamagedPngError();
    const type = png.toString("latin1", at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, end - 4), whole: png.subarray(at, end) });
    if (type === "IEND") return chunks;
    at = end;
  }
  throw createDamagedPngError();
}

/** Returns a PNG picture with these chunks. */
export function joinPngChunks(chunks: readonly Pick<Chunk, "whole">[]): Buffer {
  return Buffer.concat([SIGNATURE, ...chunks.map(({ whole }) => whole)]);
}

/** The JSON of the cards that a picture carries, by the names of their chunks. */
export type PngCards = ReadonlyMap<CardKeyword, Uint8Array>;

/** Reads the cards of a picture; the first of each chunk name counts. */
export function readPngCards(chunks: readonly Chunk[]): PngCards {
  const found = new Map<CardKeyword, Uint8Array>();
  for (const chunk of chunks) {
    const keyword = CARD_KEYWORDS.find((name) => name === readKeyword(chunk));
    if (keyword !== undefined && !found.has(keyword)) found.set(keyword, decodeCard(readChunkText(chunk)));
  }
  return found;
}

/** Returns the picture with these cards, which replace earlier ones. */
export function writePngCards(chunks: readonly Chunk[], cards: ReadonlyMap<CardKeyword, string>): Buffer {
  const names: readonly string[] = CARD_KEYWORDS;
  const others = chunks.filter((chunk) => !names.includes(readKeyword(chunk) ?? ""));
  const texts = [...cards].map(([keyword, json]) => createTextChunk(keyword, Buffer.from(json).toString("base64")));
  return joinPngChunks([...others.slice(0, -1), ...texts, ...others.slice(-1)]);
}

const TEXT_CHUNKS = ["tEXt", "zTXt", "iTXt"];

function readKeyword({ type, data }: Chunk): string | undefined {
  if (!TEXT_CHUNKS.includes(type)) return undefined;
  const end = data.subarray(0, 80).indexOf(0);
  // Some programs write `Chara`.
  return end < 0 ? undefined : data.toString("latin1", 0, end).toLowerCase();
}

function readChunkText({ type, data }: Chunk): Buffer {
  const start = data.indexOf(0) + 1;
  if (type === "tEXt") return data.subarray(start);
  if (type === "zTXt") return inflateText(data.subarray(start + 1));
  // Fields of an iTXt chunk: compression flag and method, language and translated keyword, each ended by NUL.
  const isPacked = data[start] === 1;
  const language = data.indexOf(0, start + 2);
  const name = data.indexOf(0, language + 1);
  if (language < 0 || name < 0) throw createDamagedPngError();
  const text = data.subarray(name + 1);
  return isPacked ? inflateText(text) : text;
}

function inflateText(data: Buffer): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: MAX_TEXT_BYTES });
  } catch (cause) {
    throw cardTexts.error("bad_request", "card_packed", {}, { cause });
  }
}

/** Decodes the JSON of a card; most programs write it as base64, some as plain text. */
function decodeCard(text: Buffer): Uint8Array {
  if (text.length > MAX_TEXT_BYTES) {
    throw cardTexts.error("too_large", "card_large", { most: Math.floor(MAX_CARD_BYTES / 1_048_576) });
  }
  if (/^\s*\{/.test(text.toString("latin1", 0, 20))) return text;
  const base64 = text.toString("latin1").replaceAll(/\s+/g, "");
  const bytes = Buffer.from(base64, "base64");
  const padded = bytes.toString("base64");
  if (base64.replace(/=+$/, "") !== padded.replace(/=+$/, "")) {
    throw cardTexts.error("bad_request", "card_base64");
  }
  return bytes;
}

function createTextChunk(keyword: string, text: string): Pick<Chunk, "whole"> {
  const body = Buffer.from(`tEXt${keyword}\0${text}`, "latin1");
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(body.length - 4, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return { whole };
}

function createDamagedPngError(): AppError {
  return cardTexts.error("bad_request", "png_damaged");
}
