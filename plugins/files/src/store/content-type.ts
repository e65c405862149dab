import { extname } from "node:path";
import { isTextual } from "@parley/core";

/** Number of bytes at the start of a file that determine its type. */
export const HEAD_BYTES = 4_096;

type Signature = readonly [type: string, offset: number, bytes: string];

/** Signatures in the first bytes of files, as latin1. */
const SIGNATURES: readonly Signature[] = [
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF87a"],
  ["image/gif", 0, "GIF89a"],
  ["image/webp", 8, "WEBPVP8"],
  ["image/bmp", 0, "BM"],
  ["application/pdf", 0, "%PDF-"],
  ["audio/mpeg", 0, "ID3"],
  ["audio/ogg", 0, "OggS"],
  ["audio/wav", 8, "WAVEfmt "],
  ["audio/flac", 0, "fLaC"],
  ["audio/amr", 0, "#!AMR"],
  ["audio/silk", 0, "#!SILK_V3"],
  ["audio/silk", 1, "#!SILK_V3"],
  ["video/webm", 0, "\x1aE\xdf\xa3"],
  ["application/gzip", 0, "\x1f\x8b"],
  ["application/zip", 0, "PK\x03\x04"],
  ["application/zip", 0, "PK\x05\x06"],
];

/** Content types of files that are ZIP archives, by extension. */
const TYPE_BY_ARCHIVE_EXTENSION: Readonly<Record<string, string>> = {
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ".odt": "application/vnd.oasis.opendocument.text",
  ".ods": "application/vnd.oasis.opendocument.spreadsheet",
  ".odp": "application/vnd.oasis.opendocument.presentation",
  ".epub": "application/epub+zip",
};
const TYPE_BY_TEXT_EXTENSION: Readonly<Record<string, string>> = {
  ".md": "text/markdown",
  ".csv": "text/csv",
  ".json": "application/json",
  ".html": "text/html",
  ".htm": "text/html",
  ".svg": "image/svg+xml",
  ".xml": "application/xml",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
};

export function isDocumentType(type: string): boolean {
  return /^application\/vnd\.(openxmlformats-officedocument|oasis\.opendocument)\./.test(type);
}

/** Detects the type of a file by its first bytes. The name decides only among text types and among archives. */
export function detectContentType(head: Uint8Array, name: string): string {
  const text = Buffer.from(head).toString("latin1");
  const ending = extname(name).toLowerCase();
  if (text.startsWith("ftyp", 4)) return detectMediaBrand(text);
  const found = SIGNATURES.find(([, offset, bytes]) => text.startsWith(bytes, offset))?.[0];
  if (found === "application/zip") return TYPE_BY_ARCHIVE_EXTENSION[ending] ?? found;
  if (found !== undefined && !(found === "image/bmp" && isTextual(head))) return found;
  // MPEG audio without a file header: a frame begins with eleven set bits.
  if (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2) return "audio/mpeg";
  // AAC audio: a frame begins with twelve set bits, and its layer is always zero.
  if (head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0) return "audio/aac";
  if (!isTextual(head)) return "application/octet-stream";
  return detectMarkup(text) ?? TYPE_BY_TEXT_EXTENSION[ending] ?? "text/plain";
}

function detectMarkup(bytes: string): string | undefined {
  // The search is for ASCII letters, which UTF-16 and UTF-32 separate by zero bytes.
  const text = bytes.replace(BYTE_ORDER_MARK, "").replaceAll("\0", "");
  if (/^\s*(<!doctype html|<html|<head|<body|<script)/i.test(text)) return "text/html";
  if (/^\s*(<\?xml[^>]*\?>\s*)?(<!--[\s\S]*?-->\s*)*<svg/i.test(text)) return "image/svg+xml";
  return /^\s*<\?xml/i.test(text) ? "application/xml" : undefined;
}

const BYTE_ORDER_MARK = /^\0*(\xff\xfe|\xfe\xff|\xef\xbb\xbf)/;

function detectMediaBrand(text: string): string {
  const brand = text.slice(8, 12);
  if (/^M4[AB] /.test(brand)) return "audio/mp4";
  if (/^(hei[cx]|mif1|avif)/.test(brand)) return brand === "avif" ? "image/avif" : "image/heic";
  return brand === "qt  " ? "video/quicktime" : "video/mp4";
}

const EXTENSION_BY_TYPE: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
  "audio/mpeg": ".mp3",
  "audio/ogg": ".ogg",
  "audio/wav": ".wav",
  "audio/mp4": ".m4a",
  "audio/flac": ".flac",
  "audio/aac": ".aac",
  "audio/amr": ".amr",
  "audio/silk": ".silk",
  "video/mp4": ".mp4",
  "video/webm": ".webm",
  "application/pdf": ".pdf",
};

/** Returns the name with an extension if it has none and the type has one. */
export function withExtension(name: string, type: string): string {
  return extname(name) === "" ? `${name}${EXTENSION_BY_TYPE[type] ?? ""}` : name;
}
