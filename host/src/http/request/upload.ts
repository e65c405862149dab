import type { IncomingMessage } from "node:http";
import type { PassThrough, Readable } from "node:stream";
import { Dispenser } from "@hapi/pez";
import { AppError, type UploadPart } from "@parley/core";
import { hostTexts } from "../../texts.ts";
import { createFormLimits, readBoundary } from "../form-limits.ts";

/** Maximum upload, above every configurable limit; the reading route decides the real one. */
export const MAX_UPLOAD_BYTES = 1025 * 1024 * 1024;
const MAX_PARTS = 100;
const MAX_FIELD_LENGTH = 64 * 1024;
/** Maximum bytes of a form besides its files: fields, and the headers of all parts. */
const MAX_FIELD_BYTES = 4 * 1024 * 1024;

/** Iterates over the parts of a multipart body as they arrive. A broken or malformed body throws at the reader. */
export async function* readUploadParts(
  source: IncomingMessage | Readable,
  type: string | undefined,
): AsyncGenerator<UploadPart> {
  const boundary = readBoundary(type);
  if (boundary === undefined) throw hostTexts.error("bad_request", "multipart_type");
  const parts: { readonly part: UploadPart; readonly stream?: PassThrough }[] = [];
  let failure: Error | undefined;
  let isOver = false;
  let wake = () => {};
  const notify = () => wake();
  // The reader of a part must get the error too, because the parser only ends complete parts.
  let open: PassThrough | undefined;
  const limits = createFormLimits(boundary, MAX_PARTS);
  const fail = (error: Error) => {
    failure ??= AppError.is(error)
      ? error
      : hostTexts.error("bad_request", "not_multipart", {}, { field: "body", cause: error });
    isOver = true;
    open?.destroy(error);
    notify();
  };
  const breakOff = () => {
    if (!source.readableEnded) fail(new Error("the body breaks off"));
  };
  const dispenser = new Dispenser({ boundary, maxBytes: MAX_UPLOAD_BYTES });
  dispenser.on("part", (part) => {
    // An unread part must not end the process.
    part.on("error", fail);
    open = part;
    parts.push({ part: { name: part.name, filename: part.filename ?? "", body: readPartBytes(part) }, stream: part });
    notify();
  });
  dispenser.on("field", (name: string, value: string) => {
    if (value.length > MAX_FIELD_LENGTH) return fail(createTooLargeError("form_field", MAX_FIELD_LENGTH));
    parts.push({ part: { name, value } });
    notify();
  });
  dispenser.on("error", fail);
  dispenser.on("close", () => {
    isOver = true;
    notify();
  });
  // The parser buffers everything it gets, so it is fed only while the reader has capacity.
  let bytes = 0;
  let fieldBytes = 0;
  let isPaused = false;
  const pauseUntilDrained = (part: PassThrough) => {
    isPaused = true;
    source.pause();
    const resume = () => {
      part.off("drain", resume).off("close", resume);
      isPaused = false;
      source.resume();
    };
    part.on("drain", resume).on("close", resume);
  };
  const feed = (chunk: Buffer) => {
    // After a failure nothing reads the parser, so it gets no more.
    if (failure) return;
    bytes += chunk.length;
    if (!open || open.writableEnded) fieldBytes += chunk.length;
    if (bytes > MAX_UPLOAD_BYTES) return fail(new Error("the body is too long"));
    if (fieldBytes > MAX_FIELD_BYTES) return fail(createTooLargeError("form_fields", MAX_FIELD_BYTES));
    const rejection = limits.add(chunk);
    if (rejection) return fail(rejection);
    dispenser.write(chunk);
    if (open?.writableNeedDrain && !isPaused) pauseUntilDrained(open);
  };
  const end = () => dispenser.end();
  source.once("close", breakOff).once("error", fail).once("end", end).on("data", feed);
  if (source.destroyed) breakOff();
  try {
    for (;;) {
      const next = parts.shift();
      if (next) {
        yield next.part;
        // Unread content of the part is discarded.
        next.stream?.resume();
      } else if (failure) throw failure;
      else if (isOver) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    source.off("close", breakOff).off("end", end).off("data", feed);
    open?.resume();
    // The rest is read and discarded, so that a client that is still sending receives the response.
    source.resume();
  }
}

function createTooLargeError(key: "form_field" | "form_fields", bytes: number): AppError {
  return hostTexts.error("too_large", key, { most: bytes / 1024 }, { field: "body" });
}

async function* readPartBytes(part: Readable): AsyncGenerator<Uint8Array> {
  try {
    // The stream is not destroyed when the reader stops early, because the parser would continue to fill its base64 decoder.
    for await (const chunk of part.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
  } catch (cause) {
    if (AppError.is(cause)) throw cause;
    throw hostTexts.error("bad_request", "not_multipart", {}, { field: "body", cause });
  } finally {
    part.resume();
  }
}
