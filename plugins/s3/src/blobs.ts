import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { AppError, type BlobStore } from "@parley/core";
import type { Bucket } from "./bucket.ts";
import type { BucketHealth } from "./bucket-health.ts";
import { BucketError, toAppError } from "./errors.ts";
import { s3Texts } from "./texts.ts";
import { getElementText, getElementTexts } from "./xml.ts";

const SHA256_HEADER = "x-amz-meta-sha256";
const PAGE_SIZE = 500;

export interface BlobsDeps {
  readonly bucket: Bucket;
  readonly prefix: string;
  readonly watch: BucketHealth;
  /** Page size of listings. Default 500. */
  readonly page?: number;
}

/** Stores files as objects of a bucket; each is complete or absent, also after a crash. */
export function createBlobs({ bucket, prefix, watch, page = PAGE_SIZE }: BlobsDeps): BlobStore {
  const { location: place } = bucket;
  const ask: Bucket["request"] = async (asked) => {
    try {
      const answer = await bucket.request(asked);
      watch.onSucceeded();
      return answer;
    } catch (error) {
      if (isMissing(error)) {
        watch.onSucceeded();
        throw error;
      }
      const failure = toAppError(error);
      if (AppError.is(failure) && failure.code === "unavailable") watch.onFailed(error);
      throw failure;
    }
  };
  return {
    place,
    async put(name, { path, size, sha256, mimeType }, signal) {
      const headers = {
        "content-type": mimeType,
        "content-length": String(size),
        // With the checksum, the server rejects content that was changed on the way.
        "x-amz-content-sha256": sha256,
        [SHA256_HEADER]: sha256,
      };
      // An empty stream would be sent without a length, which servers reject.
      const body = () => (size === 0 ? new Uint8Array() : createReadStream(path));
      const answer = await ask({ method: "PUT", key: prefix + name, headers, body, signal }).catch(throwUnavailable);
      await answer.body?.cancel();
    },
    async find(name) {
      const answer = await ask({ method: "HEAD", key: prefix + name }).catch(ignoreMissing);
      if (!answer) return undefined;
      const { headers } = answer;
      return { size: Number(headers.get("content-length")), storedAt: Date.parse(headers.get("last-modified") ?? "") };
    },
    read(name, range) {
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const asked = { method: "GET", key: prefix + name, headers } as const;
      return Readable.from(
        readVerified(() => ask(asked).catch(throwUnavailable), range !== undefined),
        { objectMode: false },
      );
    },
    async remove(name) {
      const answer = await ask({ method: "DELETE", key: prefix + name }).catch(ignoreMissing);
      await answer?.body?.cancel();
    },
    async *names() {
      for (let token: string | undefined = ""; token !== undefined; ) {
        const more: Readonly<Record<string, string>> = token === "" ? {} : { "continuation-token": token };
        const how = { "max-keys": String(page), prefix, delimiter: "/", "encoding-type": "url" };
        const query = { "list-type": "2", ...how, ...more };
        const answer = await ask({ method: "GET", query }).catch(throwUnavailable);
        const xml = await answer.text();
        const keys = getElementTexts(xml, "Key").map((key) => decodeURIComponent(key.replaceAll("+", " ")));
        // Names that begin with an underscore belong to the service.
        const names = keys
          .map((key) => key.slice(prefix.length))
          .filter((name) => name !== "" && !name.startsWith("_"));
        if (names.length > 0) yield names;
        token =
          getElementText(xml, "IsTruncated") === "true" ? getElementText(xml, "NextContinuationToken") : undefined;
      }
    },
  };
}

/** Yields the content; throws at the end when the checksum of a whole file does not match. */
async function* readVerified(ask: () => Promise<Response>, isPart: boolean): AsyncGenerator<Uint8Array> {
  const answer = await ask();
  const wanted = isPart ? null : answer.headers.get(SHA256_HEADER);
  const hash = wanted === null ? undefined : createHash("sha256");
  for await (const chunk of answer.body ?? []) {
    hash?.update(chunk);
    yield chunk;
  }
  if (hash && hash.digest("hex") !== wanted) {
    throw s3Texts.error("upstream_failed", "damaged");
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof BucketError && error.status === 404 && error.code !== "NoSuchBucket";
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Rethrows an error; a missing object counts as unavailable, where it is expected to exist. */
function throwUnavailable(error: unknown): never {
  throw isMissing(error) ? toAppError(error) : error;
}
