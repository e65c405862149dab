import { decodeText, isTextual } from "@parley/core";
import { knowledgeTexts } from "../texts.ts";

/** Decodes a text; throws `bad_request` for binary content or an unknown encoding. */
export function decodePlainText(bytes: Uint8Array, charset?: string): string {
  const text = decodeText(dropStrayNulls(bytes), { charset });
  if (text === undefined) throw knowledgeTexts.error("bad_request", isTextual(bytes) ? "unknown_encoding" : "not_text");
  return text;
}

/** Returns a text without single null bytes, which some programs leave in it; many of them are binary content, or an encoding of two bytes. */
function dropStrayNulls(bytes: Uint8Array): Uint8Array {
  const count = bytes.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
  const isStray = count > 0 && count * MIN_BYTES_PER_NULL <= bytes.length && !hasByteOrderMark(bytes);
  return isStray ? bytes.filter((byte) => byte !== 0) : bytes;
}

const MIN_BYTES_PER_NULL = 20;

/** True for a mark of UTF-16. */
function hasByteOrderMark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Parses rows of separated values; a quoted value may contain separators and line ends. */
export function parseRows(text: string, separator: string): readonly (readonly string[])[] {
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

/** Converts a table to self-contained lines: each value with its column's name. */
export function tableToText(rows: readonly (readonly unknown[])[]): string {
  const [head = [], ...others] = rows.map((row) => row.map((value) => formatCell(value)));
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

function formatCell(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return value === null || value === undefined ? "" : String(value).trim();
}
