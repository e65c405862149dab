import type { AppError } from "@parley/core";
import { hostTexts } from "../texts.ts";

const MAX_HEADERS = 20;
const MAX_HEAD_BYTES = 16 * 1024;
const HEAD_END = "\r\n\r\n";

/** Counts the parts and headers of a multipart body while it arrives. */
export interface FormLimits {
  /** Counts a chunk; returns the error when a limit is exceeded, else undefined. */
  add(chunk: Buffer): AppError | undefined;
}

/** Limits the count of parts, fields and files alike, and the headers of each. */
export function createFormLimits(boundary: string, maxParts: number): FormLimits {
  const delimiter = `\r\n--${boundary}`;
  // The first delimiter is at the beginning.
  let rest: Buffer = Buffer.from("\r\n");
  let state: "content" | "head" | "over" = "content";
  let parts = 0;
  const takeContent = (): boolean => {
    const at = rest.indexOf(delimiter);
    if (at === -1) {
      rest = rest.subarray(Math.max(0, rest.length - delimiter.length + 1));
      return false;
    }
    rest = rest.subarray(at + delimiter.length);
    state = "head";
    return true;
  };
  const takeHead = (): boolean | AppError => {
    if (rest.length < 2) return false;
    if (rest.subarray(0, 2).toString() === "--") {
      state = "over";
      return false;
    }
    const end = rest.indexOf(HEAD_END);
    if ((end === -1 ? rest.length : end) > MAX_HEAD_BYTES)
      return hostTexts.error("too_large", "form_head", { most: MAX_HEAD_BYTES / 1024 }, { field: "body" });
    if (end === -1) return false;
    parts += 1;
    if (parts > maxParts) return hostTexts.error("too_large", "form_parts", { most: maxParts }, { field: "body" });
    const headers = rest.subarray(0, end).toString("latin1").split("\r\n").length - 1;
    if (headers > MAX_HEADERS)
      return hostTexts.error("too_large", "form_headers", { most: MAX_HEADERS }, { field: "body" });
    // The line end of an empty part's header begins the next delimiter.
    rest = rest.subarray(end + 2);
    state = "content";
    return true;
  };
  return {
    add(chunk) {
      if (state === "over") return undefined;
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const taken = state === "content" ? takeContent() : takeHead();
        if (typeof taken === "object") return taken;
        if (!taken) return undefined;
      }
    },
  };
}

/** Returns the boundary of a multipart body; undefined when its type names none. */
export function readBoundary(type: string | undefined): string | undefined {
  const found = /^multipart\/form-data\b.*?;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(type ?? "");
  return found?.[1] ?? found?.[2];
}
