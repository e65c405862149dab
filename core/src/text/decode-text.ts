import { guessEncoding, isPlausible, SAMPLE_BYTES } from "./guess-encoding.ts";
import { decodeAs, detectUtf16 } from "./legacy-encodings.ts";

/** Options for decoding the bytes of a text. */
export interface DecodeOptions {
  /** Charset given with the bytes, such as by a content type. */
  readonly charset?: string | undefined;
  /** True when the bytes are the beginning of a longer text, which may end inside a character. */
  readonly isCut?: boolean;
}

/** Count of bytes in which a declared charset is looked for. */
const HEAD_BYTES = 1_024;
const LINE = Buffer.from("\n");
const ESCAPE = 0x1b;

/**
 * Decodes a text: by byte order mark, as UTF-8, by its declared or given charset, else by the most likely encoding of its language.
 * Undefined when the bytes are no text, or no encoding is likely enough.
 */
export function decodeText(bytes: Uint8Array, { charset, isCut = false }: DecodeOptions = {}): string | undefined {
  const marked = decodeMarkedText(bytes, isCut);
  if (marked !== undefined) return marked;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const utf16 = detectUtf16(sample);
  if (utf16) return decodeAs(bytes, utf16, isCut);
  if (!hasOnlyTextBytes(sample)) return undefined;
  const charsets = [findDeclaredCharset(bytes), charset];
  // UTF-7 and ISO-2022-JP consist of ASCII bytes, so they are tried before UTF-8.
  if (charsets.some((name) => name?.toLowerCase() === "utf-7")) return decodeAs(bytes, "utf-7", isCut);
  if (bytes.includes(ESCAPE)) {
    const text = decodeAs(bytes, "iso-2022-jp", isCut);
    if (isPlausible(text) && /[^\0-\x7f]/.test(text)) return text;
  }
  const utf8 = decodeAs(bytes, "utf-8", isCut);
  if (isPlausible(utf8)) return utf8;
  for (const name of charsets) {
    const text = name === undefined ? undefined : tryDecode(bytes, name, isCut);
    if (text !== undefined && isPlausible(text)) return text;
  }
  const guess = guessEncoding(bytes);
  const text = guess && decodeAs(bytes, guess, isCut);
  return text !== undefined && isPlausible(text) ? text : undefined;
}

/** Decodes names that one program wrote; falls back to Latin-1, or to the encoding of archives, when none is likely enough. */
export function decodeNames(names: readonly Uint8Array[]): readonly string[] {
  const utf8 = names.map((name) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(name));
  const old = names.filter((_, at) => utf8[at]?.includes("\ufffd"));
  if (old.length === 0) return utf8;
  const encoding = guessEncoding(Buffer.concat(old.flatMap((name) => [name, LINE])), true);
  return names.map((name, at) => {
    if (!utf8[at]?.includes("\ufffd")) return utf8[at] as string;
    const text = encoding === undefined ? "\ufffd" : decodeAs(name, encoding, false);
    if (!text.includes("\ufffd")) return text;
    const latin = Buffer.from(name).toString("latin1");
    return /\p{Cc}/u.test(latin) ? decodeAs(name, "cp437", false) : latin;
  });
}

/** Returns the charset of a content type; undefined when it has none. */
export function charsetOf(contentType: string | null): string | undefined {
  return /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? "")?.[1];
}

/** Returns true when bytes look like text in some encoding: a byte order mark, or no bytes that only binary files have. */
export function isTextual(bytes: Uint8Array): boolean {
  if (detectByteOrderMark(bytes) !== undefined || hasOnlyTextBytes(bytes)) return true;
  return detectUtf16(bytes.subarray(0, SAMPLE_BYTES)) !== undefined;
}

function hasOnlyTextBytes(bytes: Uint8Array): boolean {
  return !bytes.some(
    (byte) => byte < 0x09 || (byte > 0x0d && byte < 0x1b) || (byte > 0x1b && byte < 0x20) || byte === 0x7f,
  );
}

const BYTE_ORDER_MARKS: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-32be", [0, 0, 0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-7", [...Buffer.from("+/v8-")]],
];

function detectByteOrderMark(bytes: Uint8Array): string | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

/** Returns UTF-8 bytes without a byte order mark, converted by the mark if there is one; other bytes are returned unchanged. */
export function stripByteOrderMark(bytes: Uint8Array): Uint8Array {
  const text = decodeMarkedText(bytes, false);
  return text === undefined ? bytes : Buffer.from(text);
}

/** Decodes a text by its byte order mark, which is removed; undefined when it has none. */
function decodeMarkedText(bytes: Uint8Array, isCut: boolean): string | undefined {
  const encoding = detectByteOrderMark(bytes);
  if (encoding === undefined) return undefined;
  if (!encoding.startsWith("utf-32")) return decodeAs(bytes, encoding, isCut);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = "";
  for (let at = 4; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, encoding === "utf-32le");
    text += point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  }
  return text.toWellFormed();
}

/** Decodes with a charset; undefined for an unknown one. */
function tryDecode(bytes: Uint8Array, charset: string, isCut: boolean): string | undefined {
  try {
    return decodeAs(bytes, charset, isCut);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Expressions that find the charset which a text declares: an XML file, a page, a style sheet, a source file. */
const DECLARATIONS = [
  /^\s*<\?xml\b[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i,
  /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i,
  /^@charset\s+"([\w.:-]+)"/i,
  /^(?:[^\n]*\n)?[ \t]*(?:#|\/[/*]|;|--)[^\n]*?coding[:=][ \t]*["']?([\w.-]+)/i,
];

function findDeclaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  const name = DECLARATIONS.map((declaration) => declaration.exec(head)?.[1]).find((found) => found !== undefined);
  // Text readable so far cannot be UTF-16.
  return name === undefined || /^utf-?16/i.test(name) ? undefined : name;
}

/** Decodes UTF-8 without its byte order mark; throws a `TypeError` for bytes that are none. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** Parses JSON in UTF-8; throws a `TypeError` for another encoding, a `SyntaxError` for what is no JSON. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  return JSON.parse(decodeUtf8(bytes));
}
