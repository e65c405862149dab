import Joi from "@hapi/joi";
import { AppError, type Egress } from "@parley/core";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 65_536;
const MAX_REDIRECTS = 3;

/** A picture in the response of the service. */
export interface StickerPicture {
  readonly url: string;
  readonly artist_name: string;
  readonly source_url: string;
}

const text = Joi.string().allow("", null).max(2_000);
const responseSchema = Joi.object({
  results: Joi.array()
    .items(Joi.object({ url: Joi.any(), artist_name: text, source_url: text }).unknown())
    .required(),
}).unknown();

/** Requests a picture of a category from the service; rejects with the error of the service. */
export async function fetchPicture(
  egress: Egress,
  address: string,
  category: string,
  signal: AbortSignal,
): Promise<StickerPicture> {
  // An administrator entered the address, so it may be private; redirects to other hosts are not followed.
  const call = egress.fetch({ reach: "private", timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  const until = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  let url = new URL(`${address.replace(/\/+$/, "")}/${category}`);
  for (let redirects = 0; ; redirects += 1) {
    const response = await call(url.href, {
      signal: until,
      redirect: "manual",
      headers: { accept: "application/json" },
    });
    const next = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (next === null) return parsePicture(response);
    await response.body?.cancel();
    const target = URL.parse(next, url.href);
    if (!target || target.host !== url.host || redirects >= MAX_REDIRECTS) {
      throw new AppError("upstream_failed", "the sticker service sends elsewhere");
    }
    url = target;
  }
}

async function parsePicture(response: Response): Promise<StickerPicture> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new AppError("upstream_failed", `the sticker service answered ${response.status}`);
  }
  const { value, error } = responseSchema.validate(await response.json());
  if (error) throw new AppError("upstream_failed", `the sticker service answered something else: ${error.message}`);
  const results = value.results as readonly Partial<StickerPicture>[];
  const first = results.find(({ url }) => isPictureUrl(url));
  if (!first?.url) throw new AppError("upstream_failed", "the sticker service has no picture");
  return { url: first.url, artist_name: first.artist_name ?? "", source_url: toLink(first.source_url) };
}

function isPictureUrl(url: unknown): url is string {
  return typeof url === "string" && url.length <= 2_000 && /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}

function toLink(url: string | undefined): string {
  return isPictureUrl(url) ? url : "";
}

const MIME_TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** Returns the media type by the file extension of the URL. */
export function getPictureMimeType(url: string): string {
  const [, end = ""] = /\.([a-z]+)$/i.exec(URL.parse(url)?.pathname ?? "") ?? [];
  return MIME_TYPE_BY_EXTENSION[end.toLowerCase()] ?? "image/png";
}
