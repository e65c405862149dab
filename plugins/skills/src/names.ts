import { skillFailure } from "./said-failures.ts";

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

const OF_PATH = { field: "path" } as const;

/** The parts of a file's path inside a skill; `bad_request` for what could lead anywhere else. */
export function pathParts(given: string): readonly string[] {
  const name = given.normalize("NFC");
  if (name === "" || [...name].length > MAX_PATH)
    throw skillFailure("bad_request", "path_length", { most: MAX_PATH }, OF_PATH);
  if (/[\p{C}\\]/u.test(name)) throw skillFailure("bad_request", "path_signs", {}, OF_PATH);
  if (name.startsWith("/") || /^[a-z]:/i.test(name)) throw skillFailure("bad_request", "path_absolute", {}, OF_PATH);
  const parts = name.split("/");
  if (parts.length > MAX_PARTS + 1) throw skillFailure("bad_request", "path_deep", { most: MAX_PARTS }, OF_PATH);
  for (const part of parts) {
    if (part === "" || part === "." || part === "..") throw skillFailure("bad_request", "path_elsewhere", {}, OF_PATH);
    if (part.startsWith(".") || /[. ]$/.test(part)) throw skillFailure("bad_request", "path_dots", {}, OF_PATH);
    if (DEVICE.test(part)) throw skillFailure("bad_request", "path_device", {}, OF_PATH);
  }
  return parts;
}
