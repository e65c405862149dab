const YIELD_EVERY_BYTES = 1024 * 1024;

const [QUOTE, COMMA, COLON, BACKSLASH, LINE_END] = [0x22, 0x2c, 0x3a, 0x5c, 0x0a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [MINUS, PLUS, POINT, ZERO, NINE] = [0x2d, 0x2b, 0x2e, 0x30, 0x39];
const WHITESPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const LITERALS = new Map(["true", "false", "null"].map((word) => [word.charCodeAt(0), toCharCodes(word)]));
const ESCAPABLE = new Set(toCharCodes('"\\/bfnrt'));
const UNICODE = 0x75;
const HEX = new Set(toCharCodes("0123456789abcdefABCDEF"));
const EXPONENT = new Set(toCharCodes("eE"));

/** A line and a column, both from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Returns the offset of the first syntax error without yielding to the event loop. */
export function findErrorOffset(bytes: Uint8Array): number {
  const search = scanForError(bytes);
  let step = search.next();
  while (!step.done) step = search.next();
  return step.value;
}

/** Returns line and column of a byte offset; columns count characters, not bytes. */
export function toTextPosition(bytes: Uint8Array, at: number): TextPosition {
  let line = 1;
  let begin = 0;
  for (let end = bytes.indexOf(LINE_END); end !== -1 && end < at; end = bytes.indexOf(LINE_END, begin)) {
    line += 1;
    begin = end + 1;
  }
  let column = 1;
  for (let here = begin; here < at; here += 1) if (((bytes[here] ?? 0) & 0xc0) !== 0x80) column += 1;
  return { line, column };
}

type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end";

/** Scans JSON and returns the offset of the first invalid byte, or the end where something is missing. Yields after each mebibyte. */
export function* scanForError(bytes: Uint8Array): Generator<undefined, number> {
  const cursor = new Cursor(bytes);
  const open: number[] = [];
  let expected: Expected = "value";
  for (let yieldAt = YIELD_EVERY_BYTES; ; ) {
    if (cursor.at > yieldAt) {
      yieldAt = cursor.at + YIELD_EVERY_BYTES;
      yield;
    }
    const byte = cursor.next();
    const isOver = expected === "comma or end" && open.length === 0;
    if (byte === undefined || isOver) return cursor.at;
    if (expected.endsWith("or end") && byte === open.at(-1)) {
      open.pop();
      cursor.at += 1;
      expected = "comma or end";
    } else if (expected === "colon" || expected === "comma or end") {
      if (byte !== (expected === "colon" ? COLON : COMMA)) return cursor.at;
      cursor.at += 1;
      expected = expected === "comma or end" && open.at(-1) === CLOSE_OBJECT ? "key" : "value";
    } else if (expected.startsWith("key")) {
      if (byte !== QUOTE || !cursor.readString()) return cursor.at;
      expected = "colon";
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      open.push(byte === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT);
      cursor.at += 1;
      expected = byte === OPEN_LIST ? "value or end" : "key or end";
    } else if (cursor.readScalar(byte)) expected = "comma or end";
    else return cursor.at;
  }
}

/** Moves from token to token; stops at the first invalid one. */
class Cursor {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Skips white space and returns the byte that follows. */
  next(): number | undefined {
    while (WHITESPACE.has(this.#bytes[this.at] ?? 0)) this.at += 1;
    return this.#bytes[this.at];
  }

  /** Reads a string, a number, true, false or null; returns false when it is invalid. */
  readScalar(first: number): boolean {
    if (first === QUOTE) return this.readString();
    return LITERALS.has(first) ? this.#word(first) : this.#number();
  }

  readString(): boolean {
    for (this.at += 1; ; this.at += 1) {
      const byte = this.#bytes[this.at];
      if (byte === undefined || byte < 0x20) return false;
      if (byte === BACKSLASH && !this.#escape()) return false;
      if (byte === QUOTE) {
        this.at += 1;
        return true;
      }
    }
  }

  #word(first: number): boolean {
    const word = LITERALS.get(first);
    return word?.every((byte) => this.#skip((here) => here === byte)) ?? false;
  }

  #number(): boolean {
    this.#skip((byte) => byte === MINUS);
    const isZero = this.#skip((byte) => byte === ZERO);
    if (!isZero && !this.#digits()) return false;
    if (this.#skip((byte) => byte === POINT) && !this.#digits()) return false;
    if (!this.#skip((byte) => EXPONENT.has(byte))) return true;
    this.#skip((byte) => byte === PLUS || byte === MINUS);
    return this.#digits();
  }

  /** Reads an escape sequence up to its last byte; returns false when it is invalid. */
  #escape(): boolean {
    this.at += 1;
    const byte = this.#bytes[this.at] ?? 0;
    if (byte !== UNICODE) return ESCAPABLE.has(byte);
    for (let digit = 0; digit < 4; digit += 1) {
      this.at += 1;
      if (!HEX.has(this.#bytes[this.at] ?? 0)) return false;
    }
    return true;
  }

  #digits(): boolean {
    const begin = this.at;
    while (this.#skip((byte) => byte >= ZERO && byte <= NINE));
    return this.at > begin;
  }

  #skip(isPart: (byte: number) => boolean): boolean {
    const isOne = isPart(this.#bytes[this.at] ?? 0);
    if (isOne) this.at += 1;
    return isOne;
  }
}

function toCharCodes(text: string): readonly number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0));
}
