import { isAbsolute, join, resolve, sep } from "node:path";
import { AppError } from "./errors.ts";

const MAX_PARTS = 10;
const MAX_PART_LENGTH = 200;
const MAX_LENGTH = 1000;
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
const FORBIDDEN = /[\u0000-\u001f\u007f\\]/;

/**
 * The absolute path of a relative name inside `root` (contract files §1). Refuses with `bad_request` whatever is not
 * plainly inside: `..`, absolute names, drive letters, backslashes, control characters, reserved names, outer spaces and dots.
 */
export function safeJoin(root: string, name: string): string {
  const relative = name.normalize("NFC");
  const refuse = (why: string): never => {
    throw new AppError("bad_request", `path: ${why}`);
  };
  if (relative === "" || relative.length > MAX_LENGTH) refuse("is empty or too long");
  if (isAbsolute(relative) || /^[a-z]:/i.test(relative)) refuse("must be relative");
  if (FORBIDDEN.test(relative)) refuse("holds a character that is not allowed");
  const parts = relative.split("/");
  if (parts.length > MAX_PARTS) refuse("is too deep");
  for (const part of parts) {
    if (part === "" || part.length > MAX_PART_LENGTH) refuse("has an empty or too long part");
    if (/^[. ]|[. ]$/.test(part)) refuse("has a part that begins or ends with a dot or a space");
    if (part === "_meta" || WINDOWS_DEVICE.test(part)) refuse("has a reserved name");
  }
  const joined = join(root, ...parts);
  if (!resolve(joined).startsWith(resolve(root) + sep)) refuse("leaves its folder");
  return joined;
}
