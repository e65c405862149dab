import { compileRegex } from "@parley/core/text-match";

const SLASHED_KEY = /^\/([\s\S]+)\/([a-z]*)$/;
const MODIFIED_PATTERN = /^\(\?([ims]*)(?:-([ims]+))?:([\s\S]*)\)$/;
const REGEX_SYNTAX = /[\\^$.*+?()[\]{}|]/g;

export function isSlashed(key: string): boolean {
  return SLASHED_KEY.test(key);
}

/** True when the key contains no syntax of regular expressions. */
export function isPlainText(key: string): boolean {
  return key.search(REGEX_SYNTAX) < 0;
}

/** Converts `/…/flags` to a pattern of ours, which by default ignores case and whose dot matches line breaks; escapes other keys. */
export function toPattern(key: string): string {
  const [, source, flags = ""] = SLASHED_KEY.exec(key) ?? [];
  if (source === undefined) return key.replaceAll(REGEX_SYNTAX, "\\$&");
  const on = flags.includes("m") ? "m" : "";
  const off = `${flags.includes("i") ? "" : "i"}${flags.includes("s") || !source.includes(".") ? "" : "s"}`;
  return on === "" && off === "" ? source : `(?${on}${off && `-${off}`}:${source})`;
}

/** Converts a pattern back to `/…/flags`. */
export function fromPattern(pattern: string): string {
  const [, on = "", off = "", inner] = MODIFIED_PATTERN.exec(pattern) ?? [];
  const isWhole = inner !== undefined && isValidRegex(inner);
  const flags = ["i", "s"].filter((flag) => !(isWhole && off.includes(flag)));
  return `/${isWhole ? inner : pattern}/${flags.join("")}${isWhole && on.includes("m") ? "m" : ""}`;
}

function isValidRegex(source: string): boolean {
  try {
    compileRegex(source);
    return true;
  } catch {
    // The pattern is invalid.
    return false;
  }
}
