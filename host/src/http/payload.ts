import type { Readable } from "node:stream";
import { createGunzip, createInflate } from "node:zlib";
import { badRequest, clientTimeout, entityTooLarge, unsupportedMediaType } from "@hapi/boom";
import type { Route } from "@parley/core";
import { MAX_UPLOAD_BYTES } from "./upload.ts";

const MAX_BYTES = 2 * 1024 * 1024;
/** Of rows that need no login: a name and a password, a token. */
const MAX_OPEN_BYTES = 8 * 1024;
const WITHIN_MS = 60_000;
/** What a body may be packed with. */
const UNPACK = new Map([
  ["gzip", createGunzip],
  ["deflate", createInflate],
]);
const PLAIN = new Set([undefined, "", "identity"]);

/** hapi hands every body over as it comes: refusing one, it would wait for its end. */
export const AS_IT_COMES = {
  parse: false,
  output: "stream",
  maxBytes: Number.MAX_SAFE_INTEGER,
  timeout: false,
} as const;

export function maxBytesOf({ auth, payload = "json", maxBytes }: Route): number {
  if (payload === "upload") return MAX_UPLOAD_BYTES;
  return maxBytes ?? (auth === "open" && payload === "json" ? MAX_OPEN_BYTES : MAX_BYTES);
}

/** Refuses by its headers alone what would be refused when it is read. */
export function checkAnnounced(headers: Readonly<Record<string, string | undefined>>, row: Route | undefined): void {
  const { "content-encoding": encoding, "content-length": length } = headers;
  if (!PLAIN.has(encoding) && !UNPACK.has(encoding ?? "")) {
    throw unsupportedMediaType("content-encoding: send gzip, deflate or nothing");
  }
  if (row && Number(length ?? 0) > maxBytesOf(row)) throw entityTooLarge();
}

/** The whole of a body, unpacked. One that is too long is refused as soon as it is; what still comes of it is read and forgotten. */
export function readBytes(source: Readable, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const unpack = UNPACK.get(encoding ?? "")?.();
  const bytes = unpack ? source.pipe(unpack) : source;
  const chunks: Buffer[] = [];
  let size = 0;
  const leave = () => {
    clearTimeout(timer);
    bytes.off("data", take).off("end", end);
    source.off("close", breakOff);
    if (unpack) source.unpipe(unpack);
    unpack?.destroy();
    source.resume();
  };
  const refuse = (error: Error) => {
    leave();
    reject(error);
  };
  const take = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) refuse(entityTooLarge());
    else chunks.push(chunk);
  };
  const end = () => {
    leave();
    resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
  };
  const breakOff = () => {
    if (!source.readableEnded) refuse(badRequest("body: breaks off"));
  };
  const timer = setTimeout(() => refuse(clientTimeout()), WITHIN_MS);
  // Of two failures the first counts, and one that comes late must not end the process.
  source.on("error", breakOff).once("close", breakOff);
  unpack?.on("error", () => refuse(badRequest("body: is not what its content-encoding says")));
  bytes.on("data", take).once("end", end);
  if (source.destroyed) breakOff();
  return promise;
}
