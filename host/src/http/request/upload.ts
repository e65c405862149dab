import type { IncomingMessage } from "node:http";
import type { PassThrough, Readable } from "node:stream";
import { Dispenser } from "@hapi/pez";
import { AppError, type UploadPart } from "@parley/core";
import { hostFailure } from "../../said-failures.ts";
import { boundaryOf, createFormLimits } from "../form-limits.ts";

/** Maximum upload, above every configurable limit; the reading route decides the real one. */
export const MAX_UPLOAD_BYTES = 1025 * 1024 * 1024;
const MAX_PARTS = 100;
const MAX_FIELD_LENGTH = 64 * 1024;
/** Maximum bytes of a form besides its files: fields, and the headers of all parts. */
const MAX_FIELD_BYTES = 4 * 1024 * 1024;

/** The parts of a multipart body as they come. A body that breaks off or is malformed throws where it is read. */
export async function* readUploadParts(
  source: IncomingMessage | Readable,
  type: string | undefined,
): AsyncGenerator<UploadPart> {
  const boundary = boundaryOf(type);
  if (boundary === undefined) throw hostFailure("bad_request", "multipart_type");
  const parts: { readonly part: UploadPart; readonly stream?: PassThrough }[] = [];
  let failure: Error | undefined;
  let isOver = false;
  let wake = () => {};
  const notify = () => wake();
  // Whoever reads a part learns it too: the parser ends it only when it is whole.
  let open: PassThrough | undefined;
  const limits = createFormLimits(boundary, MAX_PARTS);
  const fail = (error: Error) => {
    failure ??= AppError.is(error)
      ? error
      : hostFailure("bad_request", "not_multipart", {}, { field: "body", cause: error });
    isOver = true;
    open?.destroy(error);
    notify();
  };
  const breakOff = () => {
    if (!source.readableEnded) fail(new Error("the body breaks off"));
  };
  const dispenser = new Dispenser({ boundary, maxBytes: MAX_UPLOAD_BYTES });
  dispenser.on("part", (part) => {
    // One that nobody reads must not end the process.
    part.on("error", fail);
    open = part;
    parts.push({ part: { name: part.name, filename: part.filename ?? "", body: readPartBytes(part) }, stream: part });
    notify();
  });
  dispenser.on("field", (name: string, value: string) => {
    if (value.length > MAX_FIELD_LENGTH) return fail(tooLarge("form_field", MAX_FIELD_LENGTH));
    parts.push({ part: { name, value } });
    notify();
  });
  dispenser.on("error", fail);
  dispenser.on("close", () => {
    isOver = true;
    notify();
  });
  // The parser takes whatever it is given and holds it for whoever reads: it is given no more while they have enough.
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
    // What comes after a failure nobody reads: the parser would hold it.
    if (failure) return;
    bytes += chunk.length;
    if (!open || open.writableEnded) fieldBytes += chunk.length;
    if (bytes > MAX_UPLOAD_BYTES) return fail(new Error("the body is too long"));
    if (fieldBytes > MAX_FIELD_BYTES) return fail(tooLarge("form_fields", MAX_FIELD_BYTES));
    const refusal = limits.add(chunk);
    if (refusal) return fail(refusal);
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
        // What was not read of it is not wanted.
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
    // What is left is read and forgotten: who still sends can hear the answer.
    source.resume();
  }
}

function tooLarge(key: "form_field" | "form_fields", bytes: number): AppError {
  return hostFailure("too_large", key, { most: bytes / 1024 }, { field: "body" });
}

async function* readPartBytes(part: Readable): AsyncGenerator<Uint8Array> {
  try {
    // Left early it is not destroyed: the parser would go on to fill what decodes base64 in front of it.
    for await (const chunk of part.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
  } catch (cause) {
    if (AppError.is(cause)) throw cause;
    throw hostFailure("bad_request", "not_multipart", {}, { field: "body", cause });
  } finally {
    part.resume();
  }
}
