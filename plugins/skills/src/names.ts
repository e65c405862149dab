import { AppError } from "@parley/core";

const MAX_PATH = 200;
const MAX_PARTS = 6;
/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A skill is called as its folder is. */
export function isSkillName(name: string): boolean {
  const isForm = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u.test(name) && [...name].length <= 64;
  return isForm && !name.includes("..") && !name.endsWith(".") && !DEVICE.test(name) && name === name.normalize("NFC");
}

/** The same for names that some system takes for one. */
export function nameKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** The parts of a file's path inside a skill; `bad_request` for what could lead anywhere else. */
export function pathParts(given: string): readonly string[] {
  const name = given.normalize("NFC");
  const refuse = (why: string): never => {
    throw new AppError("bad_request", `path: ${why}`);
  };
  if (name === "" || [...name].length > MAX_PATH) refuse(`must have 1 to ${MAX_PATH} characters`);
  if (/[\p{C}\\]/u.test(name)) refuse("must have no control characters and no backslashes");
  if (name.startsWith("/") || /^[a-z]:/i.test(name)) refuse("must be relative");
  const parts = name.split("/");
  if (parts.length > MAX_PARTS + 1) refuse(`must have at most ${MAX_PARTS} folders`);
  for (const part of parts) {
    if (part === "" || part === "." || part === "..") refuse("must not lead elsewhere");
    if (part.startsWith(".") || /[. ]$/.test(part)) refuse("no part may begin with a dot, or end with one or a space");
    if (DEVICE.test(part)) refuse("has a name that not every system takes");
  }
  return parts;
}
