import { createRequire } from "node:module";
import { decodeAs } from "./legacy-encodings.ts";

interface Detection {
  readonly encoding: string | null;
  readonly confidence: number;
}
interface Guess {
  readonly name: string;
  readonly confidence: number;
  readonly text: string;
}

const requireModule = createRequire(import.meta.url);
/** Count of bytes from which an encoding is guessed. */
export const SAMPLE_BYTES = 8_192;
/** Minimum scores of a guess. Single-byte texts are mostly ASCII, so a wrong guess does less harm. */
const MIN_SCORES = { single: 0.005, multi: 0.012, oem: 0.05 } as const;
/** A multi-byte guess below this score must be twice as likely as the next. */
const CLEAR_SCORE = 0.045;
/** A Chinese guess below this score is rejected when its words are separated by spaces, as Korean ones are. */
const SPACED_SCORE = 0.1;
/** With fewer non-ASCII characters than `below`, a guess must be `times` as likely as the next of its kind. */
const CERTAINTY_RULES = [
  { below: 4, times: 6 },
  { below: 8, times: 3 },
] as const;
const SHORT_LENGTH = 8;
/** Maximum share of non-ASCII characters that may be broken. */
const MAX_BROKEN_RATIO = 0.02;
/** Maximum share of words that look like those of another encoding. */
const MAX_ODD_WORDS_RATIO = 0.2;
const MULTI_BYTE_ENCODINGS: ReadonlySet<string> = new Set(["gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"]);
/** Encodings of DOS and of old Macs; DOS encodings are frequent in names of archives. */
const OEM_ENCODINGS: ReadonlySet<string> = new Set([
  "cp437",
  "cp850",
  "cp852",
  "ibm866",
  "macintosh",
  "x-mac-cyrillic",
]);
/** Decoder names by the detector's name; other encodings of obsolete systems are not guessed. */
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
  ["cp874", "windows-874"],
  ["tis-620", "windows-874"],
  ["cp437", "cp437"],
  ["cp850", "cp850"],
  ["cp852", "cp852"],
  ["ibm866", "ibm866"],
  ["macroman", "macintosh"],
  ["maccyrillic", "x-mac-cyrillic"],
  ...Array.from({ length: 9 }, (_, at): [string, string] => [`windows-125${at}`, `windows-125${at}`]),
]);

/**
 * Returns the most likely encoding of a text in some language; undefined when none is likely enough. `isName` is true
 * for names of an archive, which are often in an encoding of DOS.
 */
export function guessEncoding(bytes: Uint8Array, isName = false): string | undefined {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const window = bytes.subarray(Math.max(0, first - SAMPLE_BYTES / 8), first + SAMPLE_BYTES);
  const known = detectKnown(trimToLastLine(window));
  const [best, ...others] = known
    .filter(({ text }) => isPlausible(text) && !hasPrivateCharacters(text) && !mixesScripts(text))
    .sort((a, b) => b.confidence * toWeight(b.name, isName) - a.confidence * toWeight(a.name, isName));
  const next = others.find(({ text }) => text !== best?.text)?.confidence;
  if (!best || !isLikely(best, next) || isSpacedChinese(best) || isShortThai(best)) return undefined;
  const rival = others.find(({ name, text }) => MULTI_BYTE_ENCODINGS.has(name) && text !== best.text);
  if ((MULTI_BYTE_ENCODINGS.has(best.name) || hasOnlyPairs(best.text)) && !isCertain(best, rival?.confidence))
    return undefined;
  // Several encodings of one family can give the same text; the most common of them is chosen.
  const usual = known.find(({ name, text }) => name === "windows-1252" && text === best.text) ?? best;
  // The generic currency sign is hardly ever written; the newer Latin-9 has the euro sign in its place.
  return usual.name === "windows-1252" && usual.text.includes("¤") ? "iso-8859-15" : usual.name;
}

function detectKnown(window: Uint8Array): readonly Guess[] {
  const { detectAll } = requireModule("jschardet") as typeof import("jschardet");
  const all: readonly Detection[] = detectAll(Buffer.from(window));
  return all.flatMap(({ encoding, confidence }) => {
    const name = ENCODING_BY_DETECTED_NAME.get(encoding?.toLowerCase() ?? "");
    return name === undefined ? [] : [{ name, confidence, text: decodeAs(window, name, true) }];
  });
}

/** Returns the weight of an encoding: of equally likely ones, the more common one wins. */
function toWeight(name: string, isName: boolean): number {
  if (OEM_ENCODINGS.has(name)) return isName ? 1 : 0.95;
  if (name === "windows-1252") return 1.1;
  return name.startsWith("windows-") ? 1.001 : 1;
}

/** Returns true when few enough characters are broken; control characters count as broken. */
export function isPlausible(text: string): boolean {
  return isRare(/[\ufffd\u0080-\u0084\u0086-\u009f]/g, text);
}

/** Returns true for a text with characters that mean nothing outside one font. */
function hasPrivateCharacters(text: string): boolean {
  return !isRare(/\p{Co}/gu, text);
}

function isRare(characters: RegExp, text: string): boolean {
  const broken = text.match(characters)?.length ?? 0;
  if (broken === 0) return true;
  const beyond = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  return broken <= beyond * MAX_BROKEN_RATIO;
}

function isLikely({ name, confidence }: Guess, next = 0): boolean {
  if (OEM_ENCODINGS.has(name)) return confidence >= MIN_SCORES.oem;
  if (!MULTI_BYTE_ENCODINGS.has(name)) return confidence >= MIN_SCORES.single;
  return confidence >= MIN_SCORES.multi && (confidence >= CLEAR_SCORE || confidence >= 2 * next);
}

/** Returns true when a short text can only be of this encoding, because any two bytes are a text in several of them. */
function isCertain({ confidence, text }: Guess, next = 0): boolean {
  const length = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const times = CERTAINTY_RULES.find(({ below }) => length < below)?.times ?? 0;
  return confidence >= times * next && !(length < SHORT_LENGTH && NO_KANA_WORD.test(text));
}

/** Returns true for an unlikely Chinese text with spaces between its words, which Korean has and Chinese has not. */
function isSpacedChinese({ name, confidence, text }: Guess): boolean {
  if ((name !== "gb18030" && name !== "big5") || confidence >= SPACED_SCORE) return false;
  return (text.match(/\p{Script=Han} (?=\p{Script=Han})/gu)?.length ?? 0) >= 2;
}

/** Returns true for a few letters of an encoding whose letters are also those of Cyrillic ones. */
function isShortThai({ name, text }: Guess): boolean {
  return name === "windows-874" && (text.match(/\p{L}/gu)?.length ?? 0) < SHORT_LENGTH;
}

/** Returns true when a text of one byte per character could also be one of two bytes per character. */
function hasOnlyPairs(text: string): boolean {
  return (text.match(/[^\0-\x7f]+/g) ?? []).every(({ length }) => length % 2 === 0);
}

/** Kana that cannot begin a word. */
const NO_KANA_WORD = /(?<![\p{Script=Hiragana}\p{Script=Katakana}])[ぁぃぅぇぉっゃゅょんァィゥェォッャュョンー]/u;

/** Returns true when words are not of one language: Latin letters next to those of another script, small letters followed by capitals, signs among letters. */
function mixesScripts(text: string): boolean {
  const words = text.match(/[\p{L}‚„†‡ˆ‰‹›•˜¤¥¦©¬¶]+/gu)?.filter((word) => /[^\0-\x7f]/.test(word)) ?? [];
  const mixed = words.filter(
    (word) =>
      (/\p{Script=Latin}/u.test(word) && OTHER_SCRIPTS.test(word)) || /\p{Ll}\p{Lu}|\p{L}[^\p{L}]\p{L}/u.test(word),
  );
  return mixed.length > words.length * MAX_ODD_WORDS_RATIO;
}

const OTHER_SCRIPTS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Cuts after the last complete line, if any, so that no character is cut. */
function trimToLastLine(window: Uint8Array): Uint8Array {
  const end = window.lastIndexOf(0x0a);
  return window.length < SAMPLE_BYTES || end < SAMPLE_BYTES / 2 ? window : window.subarray(0, end + 1);
}
