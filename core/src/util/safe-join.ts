import { isAbsolute, join, resolve, sep } from "node:path";
import type { AppError } from "../errors.ts";
import { coreTexts } from "../texts.ts";

const MAX_PARTS = 10;
const MAX_PART_LENGTH = 200;
const MAX_LENGTH = 1000;
/** Maximum length of a path part on file systems. */
const MAX_PART_BYTES = 255;
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is rejected here
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\\]/;

/** Returns the absolute path of a relative name inside `root`. Throws `bad_request` for anything outside: see `relativeParts`. */
export function safeJoin(root: string, name: string): string {
  const joined = join(root, ...relativeParts(name));
  if (!resolve(joined).startsWith(resolve(root) + sep)) throw createPathError("path_leaves");
  return joined;
}

/**
 * Splits a relative name into its parts, NFC. Throws `bad_request` for `..`, absolute names, drive letters, backslashes, control
 * characters, reserved names, outer spaces and dots, and names too long or too deep for file systems.
 */
export function relativeParts(name: string): readonly string[] {
  const relative = name.normalize("NFC");
  if (relative === "" || relative.length > MAX_LENGTH) throw createPathError("path_empty");
  if (isAbsolute(relative) || /^[a-z]:/i.test(relative)) throw createPathError("path_relative");
  if (FORBIDDEN.test(relative) || !relative.isWellFormed()) throw createPathError("path_character");
  const parts = relative.split("/");
  if (parts.length > MAX_PARTS) throw createPathError("path_deep");
  for (const part of parts) {
    const isTooLong = part.length > MAX_PART_LENGTH || Buffer.byteLength(part) > MAX_PART_BYTES;
    if (part === "" || isTooLong) throw createPathError("path_part");
    if (/^[. ]|[. ]$/.test(part)) throw createPathError("path_dot");
    if (/^_meta$/i.test(part) || WINDOWS_DEVICE.test(part)) throw createPathError("path_reserved");
  }
  return parts;
}

function createPathError(why: Parameters<typeof coreTexts.error>[1] & `path_${string}`): AppError {
  return coreTexts.error("bad_request", why, {}, { field: "path" });
}
