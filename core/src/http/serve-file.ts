import type { OpenFile } from "../services/storage/files.ts";
import { contentDisposition } from "./content-disposition.ts";
import { type RawReply, rawReply } from "./route.ts";

/** Content types that a browser may show inline; all others are downloaded. */
const INLINE_TYPES = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "audio/mpeg",
  "audio/ogg",
  "audio/wav",
  "audio/flac",
  "audio/aac",
  "video/mp4",
  "video/webm",
  "application/pdf",
  "text/plain",
]);
/** Content types that a browser might execute. */
const ACTIVE_TYPES = /html|svg|xml|javascript/;

/** Requested form of a file. */
export interface FileQuery {
  readonly download: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A file to send. */
export interface ServedFile extends Pick<OpenFile, "name" | "mimeType" | "size" | "stream"> {
  /** Entity tag including its quotes. */
  readonly etag: string;
}

/** Creates the answer with a file: never executed or sniffed by browsers, in ranges on request; `cache` is its `Cache-Control`. */
export function serveFile(file: ServedFile, { download, headers: requestHeaders }: FileQuery, cache: string): RawReply {
  const { mimeType, name, size, etag } = file;
  const isInline = INLINE_TYPES.has(mimeType) && !download;
  const headers = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox",
    "content-disposition": contentDisposition(isInline ? "inline" : "attachment", name),
    etag,
    "accept-ranges": "bytes",
    "cache-control": cache,
  };
  const isText = mimeType.startsWith("text/") || mimeType === "application/json";
  const type = ACTIVE_TYPES.test(mimeType)
    ? "application/octet-stream"
    : isText
      ? `${mimeType}; charset=utf-8`
      : mimeType;
  if (matchesEtag(requestHeaders["if-none-match"], etag)) return rawReply({ body: "", type, status: 304, headers });
  // A part of a changed file must not be joined to an earlier download.
  const isSame = requestHeaders["if-range"] === undefined || requestHeaders["if-range"] === etag;
  const range = isSame ? parseRange(requestHeaders.range, size) : undefined;
  if (range === "bad") return rangeNotSatisfiable(size);
  if (!range) {
    return rawReply({ body: file.stream(), type, headers: { ...headers, "content-length": String(size) } });
  }
  const { start, end } = range;
  const part = { "content-range": `bytes ${start}-${end}/${size}`, "content-length": String(end - start + 1) };
  return rawReply({ body: file.stream(range), type, status: 206, headers: { ...headers, ...part } });
}

function rangeNotSatisfiable(size: number): RawReply {
  const body = JSON.stringify({ success: false, error: `range: the file has ${size} bytes`, code: "bad_request" });
  const headers = { "content-range": `bytes */${size}`, "cache-control": "no-store" };
  return rawReply({ body, type: "application/json", status: 416, headers });
}

function matchesEtag(given: string | undefined, etag: string): boolean {
  const tags = (given ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}

/** Parses a `Range` header; undefined sends the whole file. Only single ranges are served in part. */
function parseRange(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | "bad" | undefined {
  if (header === undefined) return undefined;
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) {
    return header.includes(",") ? undefined : "bad";
  }
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start > end || start >= size ? "bad" : { start, end };
}
