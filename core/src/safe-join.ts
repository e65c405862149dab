import { isAbsolute, join, resolve, sep } from "node:path";
import { AppError } from "./errors.ts";

const MAX_PARTS = 10;
const MAX_PART_LENGTH = 200;
const MAX_LENGTH = 1000;
/** What file systems take. */
const MAX_PART_BYTES = 255;
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\\]/;

/**
 * The absolute path of a relative name inside `root`. Refuses with `bad_request` whatever is not
 * plainly inside: see `relativeParts`.
 */
export function safeJoin(root: string, name: string): string {
  const joined = join(root, ...relativeParts(name));
  if (!resolve(joined).startsWith(resolve(root) + sep)) throw refused("leaves its folder");
  return joined;
}

/**
 * The parts of a relative name, NFC. Refuses with `bad_request`: `..`, absolute names, drive letters, backslashes, control
 * characters, reserved names, outer spaces and dots, and what is longer or deeper than file systems take.
 */
export function relativeParts(name: string): readonly string[] {
  const relative = name.normalize("NFC");
  if (relative === "" || relative.length > MAX_LENGTH) throw refused("is empty or too long");
  if (isAbsolute(relative) || /^[a-z]:/i.test(relative)) throw refused("must be relative");
  if (FORBIDDEN.test(relative) || !relative.isWellFormed()) throw refused("holds a character that is not allowed");
  const parts = relative.split("/");
  if (parts.length > MAX_PARTS) throw refused("is too deep");
  for (const part of parts) {
    const isTooLong = part.length > MAX_PART_LENGTH || Buffer.byteLength(part) > MAX_PART_BYTES;
    if (part === "" || isTooLong) throw refused("has an empty or too long part");
    if (/^[. ]|[. ]$/.test(part)) throw refused("has a part that begins or ends with a dot or a space");
    if (/^_meta$/i.test(part) || WINDOWS_DEVICE.test(part)) throw refused("has a reserved name");
  }
  return parts;
}

function refused(why: string): AppError {
  return new AppError("bad_request", `path: ${why}`);
}
