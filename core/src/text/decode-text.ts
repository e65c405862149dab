import { createRequire } from "node:module";

/** Options for decoding the bytes of a text. */
export interface DecodeOptions {
  /** The charset that came with the bytes, such as that of a content type. */
  readonly charset?: string | undefined;
  /** True when the bytes are the beginning of a longer text, which may end inside a character. */
  readonly isCut?: boolean;
}

interface Detection {
  readonly encoding: string | null;
  readonly confidence: number;
}

const requireModule = createRequire(import.meta.url);
/** Bytes that an encoding is guessed from. */
const SAMPLE_BYTES = 8_192;
/** Bytes in which a text declares its charset. */
const HEAD_BYTES = 1_024;
/** Minimum scores of a guess. Single-byte texts are mostly ASCII, so a wrong guess does less harm. */
const MIN_SCORES = { single: 0.005, multi: 0.012 } as const;
/** A guess below this one, by several bytes a character, must be twice as likely as the next. */
const CLEAR_SCORE = 0.045;
/** Below so many non-ASCII characters, a guess must be this many times as likely as the next of its kind. */
const CERTAINTY_RULES = [
  { below: 4, times: 6 },
  { below: 8, times: 3 },
] as const;
const SHORT_LENGTH = 8;
/** Maximum share of non-ASCII characters that may be broken. */
const MAX_BROKEN_RATIO = 0.02;
const LINE = Buffer.from("\n");
const ESCAPE = 0x1b;
const MULTI_BYTE_ENCODINGS: ReadonlySet<string> = new Set(["gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"]);
/** Decoder names by the detector's name; encodings of obsolete systems are not guessed. */
const ENCODING_BY_DETECTED_NAME: ReadonlyMap<string, string> = new Map([
  ["cp932", "shift_jis"],
  ["shift_jis", "shift_jis"],
  ["cp949", "euc-kr"],
  ["euc-kr", "euc-kr"],
  ["euc-jp", "euc-jp"],
  ["gb18030", "gb18030"],
  ["gb2312", "gb18030"],
  ["big5", "big5"],
  ["iso-8859-1", "windows-1252"],
  ["iso8859-15", "windows-1252"],
  ["iso-8859-2", "iso-8859-2"],
  ["iso-8859-5", "iso-8859-5"],
  ["iso-8859-7", "iso-8859-7"],
  ["koi8-r", "koi8-r"],
  ["koi8-u", "koi8-u"],
  ...Array.from({ length: 9 }, (_, at): [string, string] => [`windows-125${at}`, `windows-125${at}`]),
]);

/**
 * Decodes a text: by byte order mark, as UTF-8, by its declared or given charset, else by the most likely encoding of
 * its language. Undefined when it is no text or no guess is likely enough.
 */
export function decodeText(bytes: Uint8Array, { charset, isCut = false }: DecodeOptions = {}): string | undefined {
  const marked = decodeMarkedText(bytes, isCut);
  if (marked !== undefined) return marked;
  if (!isTextual(bytes.subarray(0, SAMPLE_BYTES))) return undefined;
  // The one old encoding that looks like ASCII.
  if (bytes.includes(ESCAPE)) {
    const text = decode(bytes, "iso-2022-jp", isCut);
    if (isPlausible(text) && /[^\0-\x7f]/.test(text)) return text;
  }
  const utf8 = decode(bytes, "utf-8", isCut);
  if (isPlausible(utf8)) return utf8;
  for (const name of [declaredCharset(bytes), charset]) {
    const text = name === undefined ? undefined : tryDecode(bytes, name, isCut);
    if (text !== undefined && isPlausible(text)) return text;
  }
  const guess = guessEncoding(bytes);
  const text = guess && decode(bytes, guess, isCut);
  return text !== undefined && isPlausible(text) ? text : undefined;
}

/** Decodes names that were written by one program; as Latin-1 where nothing is likely enough. */
export function decodeNames(names: readonly Uint8Array[]): readonly string[] {
  const utf8 = names.map((name) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(name));
  const old = names.filter((_, at) => utf8[at]?.includes("\ufffd"));
  if (old.length === 0) return utf8;
  const encoding = guessEncoding(Buffer.concat(old.flatMap((name) => [name, LINE])));
  return names.map((name, at) => {
    if (!utf8[at]?.includes("\ufffd")) return utf8[at] as string;
    const text = encoding === undefined ? "\ufffd" : decode(name, encoding, false);
    return text.includes("\ufffd") ? Buffer.from(name).toString("latin1") : text;
  });
}

/** Returns the charset of a content type; undefined when it has none. */
export function charsetOf(contentType: string | null): string | undefined {
  return /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? "")?.[1];
}

/** Returns true when bytes look like text in some encoding: a byte order mark, or no bytes that only binary files have. */
export function isTextual(bytes: Uint8Array): boolean {
  if (detectByteOrderMark(bytes) !== undefined) return true;
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
];

function detectByteOrderMark(bytes: Uint8Array): string | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

/** Returns UTF-8 bytes without a byte order mark, converted by the mark if there is one; other bytes are returned unchanged. */
export function stripByteOrderMark(bytes: Uint8Array): Uint8Array {
  const text = decodeMarkedText(bytes, false);
  return text === undefined ? bytes : Buffer.from(text);
}

/** Without the mark. */
function decodeMarkedText(bytes: Uint8Array, isCut: boolean): string | undefined {
  const encoding = detectByteOrderMark(bytes);
  if (encoding === undefined) return undefined;
  if (!encoding.startsWith("utf-32")) return decode(bytes, encoding, isCut);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = "";
  for (let at = 4; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, encoding === "utf-32le");
    text += point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  }
  return text.toWellFormed();
}

function decode(bytes: Uint8Array, encoding: string, isCut: boolean): string {
  return new TextDecoder(encoding).decode(bytes, { stream: isCut });
}

/** Decodes with a charset; undefined for an unknown one. */
function tryDecode(bytes: Uint8Array, charset: string, isCut: boolean): string | undefined {
  try {
    return decode(bytes, charset, isCut);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Few enough characters are broken, and none is a control character. */
function isPlausible(text: string): boolean {
  const broken = text.match(/[\ufffd\u0080-\u0084\u0086-\u009f]/g)?.length ?? 0;
  if (broken === 0) return true;
  const beyond = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  return broken <= beyond * MAX_BROKEN_RATIO;
}

/** Returns the charset that a page or an XML file declares. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  const xml = /^\s*<\?xml\b[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head);
  const meta = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head);
  const name = (xml ?? meta)?.[1];
  // Text readable so far cannot be UTF-16.
  return name === undefined || /^utf-?16/i.test(name) ? undefined : name;
}

function guessEncoding(bytes: Uint8Array): string | undefined {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const window = bytes.subarray(Math.max(0, first - SAMPLE_BYTES / 8), first + SAMPLE_BYTES);
  const { detectAll } = requireModule("jschardet") as typeof import("jschardet");
  const all: readonly Detection[] = detectAll(trimToLastLine(window));
  const known = all.flatMap(({ encoding, confidence }) => {
    const name = ENCODING_BY_DETECTED_NAME.get(encoding?.toLowerCase() ?? "");
    return name === undefined ? [] : [{ name, confidence, text: decode(window, name, true) }];
  });
  const [best, ...others] = known
    .filter(({ text }) => isPlausible(text) && !mixesScripts(text))
    .sort((a, b) => b.confidence - a.confidence);
  const next = others.find(({ text }) => text !== best?.text)?.confidence;
  if (!best || !isLikely(best, next)) return undefined;
  const rival = others.find(({ name, text }) => MULTI_BYTE_ENCODINGS.has(name) && text !== best.text);
  if ((MULTI_BYTE_ENCODINGS.has(best.name) || hasOnlyPairs(best.text)) && !isCertain(best, rival?.confidence))
    return undefined;
  // The same text in several encodings of one family: the most usual of them.
  const usual = known.find(({ name, text }) => name === "windows-1252" && text === best.text);
  return (usual ?? best).name;
}

function isLikely({ name, confidence }: { readonly name: string; readonly confidence: number }, next = 0): boolean {
  if (!MULTI_BYTE_ENCODINGS.has(name)) return confidence >= MIN_SCORES.single;
  return confidence >= MIN_SCORES.multi && (confidence >= CLEAR_SCORE || confidence >= 2 * next);
}

/** True when a short text can only be of this encoding; any two bytes are a text in several of them. */
function isCertain({ confidence, text }: { readonly confidence: number; readonly text: string }, next = 0): boolean {
  const length = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const times = CERTAINTY_RULES.find(({ below }) => length < below)?.times ?? 0;
  return confidence >= times * next && !(length < SHORT_LENGTH && NO_KANA_WORD.test(text));
}

/** True when a text of one byte a character could also be one of two bytes a character. */
function hasOnlyPairs(text: string): boolean {
  return (text.match(/[^\0-\x7f]+/g) ?? []).every(({ length }) => length % 2 === 0);
}

/** Kana that no word begins with. */
const NO_KANA_WORD = /(?<![\p{Script=Hiragana}\p{Script=Katakana}])[ぁぃぅぇぉっゃゅょんァィゥェォッャュョンー]/u;

/** Words of one language do not mix Latin letters with those of another script, nor small letters with capitals behind them. */
function mixesScripts(text: string): boolean {
  const words = text.match(/\p{L}+/gu)?.filter((word) => /[^\0-\x7f]/.test(word)) ?? [];
  const mixed = words.filter(
    (word) => (/\p{Script=Latin}/u.test(word) && OTHER_SCRIPTS.test(word)) || /\p{Ll}\p{Lu}/u.test(word),
  );
  return mixed.length > words.length * 0.2;
}

const OTHER_SCRIPTS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Cuts after the last complete line, if any, so that no character is cut. */
function trimToLastLine(window: Uint8Array): Uint8Array {
  const end = window.lastIndexOf(0x0a);
  return window.length < SAMPLE_BYTES || end < SAMPLE_BYTES / 2 ? window : window.subarray(0, end + 1);
}
