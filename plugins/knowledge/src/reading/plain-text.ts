import { knowledgeFailure } from "../said-failures.ts";

/** The text of bytes that nobody says the encoding of: UTF-8 and UTF-16 by their marks, else what they can be read as. */
export function decodeText(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, 8_192).includes(0)) throw knowledgeFailure("bad_request", "not_text");
  for (const encoding of ["utf-8", "gb18030"]) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // Not this one.
    }
  }
  return new TextDecoder("windows-1252").decode(bytes);
}

/** Rows of separated values, quoted ones whole. */
export function rowsOf(text: string, separator: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  let value = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      value += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === separator || character === "\n")) {
      rows.at(-1)?.push(value.trim());
      value = "";
      if (character === "\n") rows.push([]);
    } else value += character;
  }
  rows.at(-1)?.push(value.trim());
  return rows.filter((row) => row.some((one) => one !== ""));
}

/** A table as lines that stand for themselves: each value with the name of its column. */
export function tableText(rows: readonly (readonly unknown[])[]): string {
  const [head = [], ...others] = rows.map((row) => row.map((value) => shown(value)));
  if (others.length === 0) return head.join("; ");
  return others
    .map((row) =>
      row
        .map((value, at) => (value === "" ? "" : head[at] ? `${head[at]}: ${value}` : value))
        .filter(Boolean)
        .join("; "),
    )
    .filter(Boolean)
    .join("\n\n");
}

function shown(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return value === null || value === undefined ? "" : String(value).trim();
}
