import { regexOf } from "@parley/core/text-match";

const SLASHED = /^\/([\s\S]+)\/([a-z]*)$/;
const MODIFIED = /^\(\?([ims]*)(?:-([ims]+))?:([\s\S]*)\)$/;
const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

export function isSlashed(key: string): boolean {
  return SLASHED.test(key);
}

/** Whether it finds, as an expression, just what it says. */
export function isPlain(key: string): boolean {
  return key.search(SYNTAX) < 0;
}

/** `/…/flags` as a pattern of ours, which heeds no case and whose dot takes line breaks unless it says otherwise. */
export function patternOfKey(key: string): string {
  const [, source, flags = ""] = SLASHED.exec(key) ?? [];
  if (source === undefined) return key.replaceAll(SYNTAX, "\\$&");
  const on = flags.includes("m") ? "m" : "";
  const off = `${flags.includes("i") ? "" : "i"}${flags.includes("s") || !source.includes(".") ? "" : "s"}`;
  return on === "" && off === "" ? source : `(?${on}${off && `-${off}`}:${source})`;
}

/** The way back: flags where the whole pattern has them. */
export function keyOfPattern(pattern: string): string {
  const [, on = "", off = "", inner] = MODIFIED.exec(pattern) ?? [];
  const isWhole = inner !== undefined && isRegex(inner);
  const flags = ["i", "s"].filter((flag) => !(isWhole && off.includes(flag)));
  return `/${isWhole ? inner : pattern}/${flags.join("")}${isWhole && on.includes("m") ? "m" : ""}`;
}

function isRegex(source: string): boolean {
  try {
    regexOf(source);
    return true;
  } catch {
    // It says so: that is the answer.
    return false;
  }
}
