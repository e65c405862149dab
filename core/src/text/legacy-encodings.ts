import { createRequire } from "node:module";

const requireModule = createRequire(import.meta.url);
/** Encodings that the platform's decoder lacks, or reads without the characters of Hong Kong (Big5). */
const LIBRARY_ENCODINGS: ReadonlySet<string> = new Set(["big5", "cp437", "cp850", "cp852", "utf-7"]);

/** Decodes bytes; with `isCut` a character that is cut at the end is left out. Throws a RangeError for an unknown encoding. */
export function decodeAs(bytes: Uint8Array, encoding: string, isCut: boolean): string {
  if (!LIBRARY_ENCODINGS.has(encoding.toLowerCase())) return new TextDecoder(encoding).decode(bytes, { stream: isCut });
  const decoder = (requireModule("iconv-lite") as typeof import("iconv-lite")).getDecoder(encoding);
  const text = decoder.write(Buffer.from(bytes));
  return (isCut ? text : text + (decoder.end() ?? "")).replace(/^\ufeff/, "");
}

/** UTF-16 characters that occur in no text: control characters, unassigned and private ones, broken pairs. */
const NO_TEXT = /(?![\t\n\f\r])[\p{Cc}\ufffd\p{Cn}\p{Co}]/u;
const MIN_UTF16_LENGTH = 4;
const SHORT_UTF16_LENGTH = 32;
const MIN_ASCII_RATIO = 0.01;
const SCRIPTS = [
  /^[\P{L}\p{Script=Latin}]*$/u,
  /^[\P{L}\p{Script=Cyrillic}\p{Script=Latin}]*$/u,
  /^[\P{L}\p{Script=Greek}\p{Script=Latin}]*$/u,
  /^[\P{L}\p{Script=Arabic}a-z]*$/iu,
  /^[\P{L}\p{Script=Hebrew}a-z]*$/iu,
  /^[\P{L}\p{Script=Thai}a-z]*$/iu,
  /^[\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ーa-z]*$/iu,
  /^[\P{L}\p{Script=Hangul}a-z]*$/iu,
];

/** Returns the byte order of a UTF-16 text without a mark; undefined when the bytes are no such text. */
export function detectUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes.length < 2 * MIN_UTF16_LENGTH || !bytes.includes(0)) return undefined;
  const [best] = (["utf-16le", "utf-16be"] as const)
    .map((encoding) => ({ encoding, text: decodeAs(bytes.subarray(0, bytes.length & ~1), encoding, true) }))
    .filter(({ text }) => !NO_TEXT.test(text))
    .map(({ encoding, text }) => ({ encoding, share: (text.match(/\p{ASCII}/gu)?.length ?? 0) / text.length, text }))
    .sort((a, b) => b.share - a.share);
  // Any two bytes are a character of some script, but a real text has one script, and spaces, digits or line ends.
  if (!best || best.share < MIN_ASCII_RATIO) return undefined;
  const isShort = best.text.length < SHORT_UTF16_LENGTH;
  return isShort && !SCRIPTS.some((script) => script.test(best.text)) ? undefined : best.encoding;
}
