import type { Readable } from "node:stream";
import { createGunzip, createInflate } from "node:zlib";
import { badRequest, clientTimeout, entityTooLarge, unsupportedMediaType } from "@hapi/boom";
import type { Route } from "@parley/core";
import { MAX_UPLOAD_BYTES } from "./upload.ts";

const MAX_BYTES = 2 * 1024 * 1024;
/** Maximum body of routes without a login, which only take a name and a password, or a token. */
const MAX_OPEN_BYTES = 8 * 1024;
const READ_TIMEOUT_MS = 60_000;
/** Supported content encodings of a body. */
const DECODERS = new Map([
  ["gzip", createGunzip],
  ["deflate", createInflate],
]);
const IDENTITY_ENCODINGS = new Set([undefined, "", "identity"]);

/** Options that stream every body, because hapi would read a rejected one to its end. */
export const STREAM_OPTIONS = {
  parse: false,
  output: "stream",
  maxBytes: Number.MAX_SAFE_INTEGER,
  timeout: false,
} as const;

export function resolveMaxBytes({ auth, payload = "json", maxBytes }: Route): number {
  if (payload === "upload") return MAX_UPLOAD_BYTES;
  return maxBytes ?? (auth === "open" && payload === "json" ? MAX_OPEN_BYTES : MAX_BYTES);
}

/** Rejects by its headers a body that would be rejected when read. */
export function checkHeaders(headers: Readonly<Record<string, string | undefined>>, route: Route | undefined): void {
  const { "content-encoding": encoding, "content-length": length } = headers;
  if (!IDENTITY_ENCODINGS.has(encoding) && !DECODERS.has(encoding ?? "")) {
    throw unsupportedMediaType("content-encoding: send gzip, deflate or nothing");
  }
  if (route && Number(length ?? 0) > resolveMaxBytes(route)) throw entityTooLarge();
}

/** Reads and decompresses a whole body. Rejects as soon as it is too long; the rest is read and discarded. */
export function readBytes(source: Readable, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const unpack = DECODERS.get(encoding ?? "")?.();
  const bytes = unpack ? source.pipe(unpack) : source;
  const chunks: Buffer[] = [];
  let size = 0;
  const cleanUp = () => {
    clearTimeout(timer);
    bytes.off("data", addChunk).off("end", end);
    source.off("close", breakOff);
    if (unpack) source.unpipe(unpack);
    unpack?.destroy();
    source.resume();
  };
  const fail = (error: Error) => {
    cleanUp();
    reject(error);
  };
  const addChunk = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) fail(entityTooLarge());
    else chunks.push(chunk);
  };
  const end = () => {
    cleanUp();
    resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
  };
  const breakOff = () => {
    if (!source.readableEnded) fail(badRequest("body: breaks off"));
  };
  const timer = setTimeout(() => fail(clientTimeout()), READ_TIMEOUT_MS);
  // The first error counts, and a later one must not end the process.
  source.on("error", breakOff).once("close", breakOff);
  unpack?.on("error", () => fail(badRequest("body: is not what its content-encoding says")));
  bytes.on("data", addChunk).once("end", end);
  if (source.destroyed) breakOff();
  return promise;
}
