import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Egress, RawReply } from "@parley/core";
import { type FileQuery, serveFile } from "@parley/core/http";
import { detectContentType, HEAD_BYTES, withExtension } from "./store/content-type.ts";
import { filesTexts } from "./texts.ts";

const MEBIBYTE = 1024 * 1024;
const MAX_BYTES = 10 * MEBIBYTE;
const RESPONSE_TIMEOUT_MS = 10_000;
/** Types of images that are proxied. SVG is not among them, because it can contain scripts and links. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export interface ProxiedImageDeps {
  readonly egress: Pick<Egress, "fetch">;
  /** Returns true when addresses in messages may be private. */
  readonly mayReachPrivate: () => boolean;
}

/** Fetches another server's image, which learns nothing about the viewer: no address, login or page. */
export async function fetchProxiedImage(
  { egress, mayReachPrivate }: ProxiedImageDeps,
  url: string,
  { headers, signal }: Pick<FileQuery, "headers"> & { readonly signal: AbortSignal },
): Promise<RawReply> {
  const reach = mayReachPrivate() ? "private" : "public";
  const ask = egress.fetch({ reach, timeoutMs: RESPONSE_TIMEOUT_MS, maxBytes: MAX_BYTES, redirects: 3 });
  const response = await ask(url, { headers: { accept: "image/*" }, signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw filesTexts.error("upstream_failed", "answered", { status: response.status });
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  const mimeType = detectContentType(bytes.subarray(0, HEAD_BYTES), "");
  if (!IMAGE_TYPES.has(mimeType)) throw filesTexts.error("bad_request", "no_picture");
  const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;
  const stream = (range?: { readonly start: number; readonly end: number }) =>
    Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]);
  const file = { name: withExtension("picture", mimeType), mimeType, size: bytes.length, etag, stream };
  return serveFile(file, { download: false, headers }, "private, max-age=3600");
}
