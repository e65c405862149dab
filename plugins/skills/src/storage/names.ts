import { skillsTexts } from "../texts.ts";

const MAX_PATH = 200;
const MAX_PATH_PARTS = 6;
/** Device names reserved by Windows. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** True for a valid name of a skill, which is also that of its folder. */
export function isSkillName(name: string): boolean {
  const isForm = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u.test(name) && [...name].length <= 64;
  return (
    isForm && !name.includes("..") && !name.endsWith(".") && !DEVICE_NAME.test(name) && name === name.normalize("NFC")
  );
}

/** Returns a key that is equal for names which some file systems do not distinguish. */
export function toNameKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

const PATH_FIELD = { field: "path" } as const;

/** Returns the parts of a file's path inside a skill; `bad_request` for a path that could leave it. */
export function parsePath(given: string): readonly string[] {
  const name = given.normalize("NFC");
  if (name === "" || [...name].length > MAX_PATH)
    throw skillsTexts.error("bad_request", "path_length", { most: MAX_PATH }, PATH_FIELD);
  if (/[\p{C}\\]/u.test(name)) throw skillsTexts.error("bad_request", "path_signs", {}, PATH_FIELD);
  if (name.startsWith("/") || /^[a-z]:/i.test(name))
    throw skillsTexts.error("bad_request", "path_absolute", {}, PATH_FIELD);
  const parts = name.split("/");
  if (parts.length > MAX_PATH_PARTS + 1)
    throw skillsTexts.error("bad_request", "path_deep", { most: MAX_PATH_PARTS }, PATH_FIELD);
  for (const part of parts) {
    if (part === "" || part === "." || part === "..")
      throw skillsTexts.error("bad_request", "path_elsewhere", {}, PATH_FIELD);
    if (part.startsWith(".") || /[. ]$/.test(part)) throw skillsTexts.error("bad_request", "path_dots", {}, PATH_FIELD);
    if (DEVICE_NAME.test(part)) throw skillsTexts.error("bad_request", "path_device", {}, PATH_FIELD);
  }
  return parts;
}
