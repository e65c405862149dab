import { randomBytes } from "node:crypto";
import { extname } from "node:path";

const MAX_NAME_CHARS = 120;
const PREFIX_CHARS = 20;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
const UNSAFE_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\\/:*?"<>|%#&]+/g;

/** Returns a readable name that is safe in paths. */
export function sanitizeFileName(name: string): string {
  const plain = name
    .normalize("NFC")
    .toWellFormed()
    .replaceAll(UNSAFE_CHARACTERS, "_")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[. ]+|[. ]+$/g, "");
  const short = truncateName(plain);
  return short === "" ? "file" : short;
}

/** Truncates a name by bytes, which disks limit, without splitting a character. */
function truncateName(name: string): string {
  const ending = extname(name).slice(0, 16);
  let stem = name.slice(0, name.length - extname(name).length);
  while (Buffer.byteLength(stem + ending) > MAX_NAME_CHARS) stem = [...stem].slice(0, -1).join("");
  return (stem + ending).replaceAll(/^[. ]+|[. ]+$/g, "");
}

/** Matches names that the service generates: random, or by content. Files of operators have other names. */
const GENERATED_NAME = /^(?:[0-9a-z]{20}-.|[a-z]+_[0-9a-f]{32}\.[0-9a-z]+$)/;

export function isGeneratedName(name: string): boolean {
  return GENERATED_NAME.test(name);
}

/** Creates an unguessable name: `<20 characters>-<clean name>`. */
export function createSafeName(name: string): string {
  let prefix = "";
  while (prefix.length < PREFIX_CHARS)
    prefix += randomBytes(16).toString("base64url").toLowerCase().replaceAll(/[-_]/g, "");
  return `${prefix.slice(0, PREFIX_CHARS)}-${sanitizeFileName(name)}`;
}
