import { AppError, type Egress, type Picture } from "@parley/core";
import { openaiTexts } from "../texts.ts";

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_PICTURES = 8;
const TIMEOUT_MS = 10_000;
/** Longest beginning of a data address, before its bytes. */
const MAX_HEAD = 200;
const FIELD = "messages.image_url";

/** Loads the pictures of a request, by address. */
export interface Pictures {
  /** Rejects with `bad_request` for what is no picture, or cannot be loaded. */
  load(urls: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Picture>>;
}

export function createPictures(egress: () => Pick<Egress, "fetch">): Pictures {
  return {
    async load(given, signal) {
      const urls = [...new Set(given)];
      if (urls.length > MAX_PICTURES)
        throw openaiTexts.error("bad_request", "too_many_pictures", { most: MAX_PICTURES }, { field: FIELD });
      const loaded = await Promise.all(
        urls.map(async (url) => {
          const bytes = url.startsWith("data:") ? decodeDataUrl(url) : await fetchPicture(egress(), url, signal);
          return [url, toPicture(bytes)] as const;
        }),
      );
      return new Map(loaded);
    },
  };
}

function decodeDataUrl(url: string): Uint8Array {
  const start = url.indexOf(",") + 1;
  // A repeated group over a long text overflows the stack of regular expressions.
  const isBase64 = start <= MAX_HEAD && /^data:[\w/+.-]*(?:;[\w=.-]+)*;base64,$/.test(url.slice(0, start));
  const encoded = url.slice(start);
  if (!isBase64 || !/^[\w+/=-]*$/.test(encoded))
    throw openaiTexts.error("bad_request", "bad_address", {}, { field: FIELD });
  return Buffer.from(encoded, "base64");
}

async function fetchPicture(egress: Pick<Egress, "fetch">, url: string, signal: AbortSignal): Promise<Uint8Array> {
  if (!url.startsWith("https://")) throw openaiTexts.error("bad_request", "bad_address", {}, { field: FIELD });
  const get = egress.fetch({ reach: "public", timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, redirects: 3 });
  try {
    const response = await get(url, { signal });
    if (!response.ok) throw new AppError("upstream_failed", `HTTP ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    signal.throwIfAborted();
    const why = AppError.is(error) ? error.message : String(error);
    throw openaiTexts.error("bad_request", "picture_failed", { why }, { field: FIELD, cause: error });
  }
}

/** First bytes of the picture types that every provider accepts, as hexadecimal digits. */
const SIGNATURES: readonly (readonly [mimeType: string, pattern: RegExp])[] = [
  ["image/png", /^89504e470d0a1a0a/],
  ["image/jpeg", /^ffd8ff/],
  ["image/gif", /^47494638(37|39)61/],
  ["image/webp", /^52494646.{8}57454250/],
];

function toPicture(bytes: Uint8Array): Picture {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  const mimeType = SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0];
  if (mimeType === undefined || bytes.length > MAX_BYTES)
    throw openaiTexts.error("bad_request", "no_picture", {}, { field: FIELD });
  return { mimeType, bytes };
}
