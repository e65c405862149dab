import type { RegexReplacement } from "@parley/core";

/** Length from which a replaced text is dropped, because an expression may multiply a text. */
const MAX_LENGTH = 200_000;
const FLAGS = "gimsu";
const REFERENCE = /\{\{match\}\}|\$(\d{1,2})|\$<([^>]+)>/gi;

/** Returns the text with what the expression finds replaced; unchanged for an invalid one and for a result that is too long. */
export function replaceAll({ pattern, flags, replacement, trim }: RegexReplacement, text: string) {
  const regex = compile(pattern, flags);
  if (!regex) return { text };
  let length = text.length;
  const replaced = text.replace(regex, (...found: readonly unknown[]) => {
    if (length > MAX_LENGTH) return "";
    const filled = fillIn(replacement, found, trim);
    length += filled.length;
    return filled;
  });
  // PostgreSQL stores neither half characters nor NUL, and both can come from an author's expression.
  return { text: length > MAX_LENGTH ? text : replaced.toWellFormed().replaceAll("\0", "") };
}

function compile(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, [...new Set(flags)].filter((flag) => FLAGS.includes(flag)).join(""));
  } catch {
    // The author's expression is invalid.
    return undefined;
  }
}

/** Inserts what was found into the replacement, without the texts to trim. */
function fillIn(replacement: string, found: readonly unknown[], trim: readonly string[]): string {
  const groups = Object(found.at(-1)) as Readonly<Record<string, unknown>>;
  const clean = (value: unknown) =>
    trim.reduce((text, one) => (one === "" ? text : text.replaceAll(one, "")), typeof value === "string" ? value : "");
  // The last two or three values are the offset, the text and the named groups.
  const groupCount = found.findIndex((one) => typeof one === "number");
  return replacement.replaceAll(REFERENCE, (_, number: string | undefined, name: string | undefined) => {
    if (name !== undefined) return clean(groups[name]);
    const at = Number(number ?? 0);
    return at < groupCount ? clean(found[at]) : "";
  });
}
