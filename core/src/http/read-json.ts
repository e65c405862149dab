import { setImmediate as nextTurn } from "node:timers/promises";
import { isObject } from "../json/index.ts";
import { findLongJsonSyntaxError } from "../json/json-syntax-error.ts";
import { createNulError, hasNul } from "../json/null-characters.ts";
import { coreTexts } from "../texts.ts";

const MAX_DEPTH = 32;
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);
/** Maximum count of values in a body of any size; routes with a larger body limit allow one value per 16 bytes. */
const MAX_VALUES = 200_000;
const BYTES_PER_VALUE = 16;
/** Maximum count of object keys in a whole body; routes with a larger body limit allow one per 40 bytes. */
const MAX_NAMES = 50_000;
const BYTES_PER_NAME = 40;
const MAX_NAMES_PER_OBJECT = 5_000;
const BYTES_PER_OBJECT_NAME = 400;
/** Maximum length of a key in bytes, so that no later check has to handle longer ones. */
const MAX_NAME_BYTES = 1_024;
/** Bytes parsed in one piece; longer containers are parsed in slices. */
const SLICE_BYTES = 256 * 1024;
const YIELD_EVERY_BYTES = 1024 * 1024;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const WHITESPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Options for the accepted JSON and its shape. */
export interface ReadJsonOptions {
  /** A list becomes the `items` of an object. */
  readonly takesList?: boolean;
  /** Maximum nesting depth; default 32. */
  readonly maxDepth?: number;
  /** Maximum count of keys, where the schema allows fewer than the size would. */
  readonly maxNames?: number | undefined;
}

interface Limits {
  readonly values: number;
  readonly names: number;
  readonly namesPerObject: number;
  readonly depth: number;
}

function resolveLimits(maxBytes: number, { maxDepth = MAX_DEPTH, maxNames = Infinity }: ReadJsonOptions): Limits {
  return {
    values: Math.max(MAX_VALUES, maxBytes / BYTES_PER_VALUE),
    names: Math.min(maxNames, Math.max(MAX_NAMES, maxBytes / BYTES_PER_NAME)),
    namesPerObject: Math.max(MAX_NAMES_PER_OBJECT, maxBytes / BYTES_PER_OBJECT_NAME),
    depth: maxDepth,
  };
}

/**
 * Parses untrusted JSON into an object, nested at most 32 deep, without prototype keys. Checks limits before parsing and parses long
 * bodies in slices, so that the event loop stays free. Rejects with `bad_request` (with line and column for a syntax error), or with
 * `too_large` for too many values or keys or a key that is too long.
 */
export async function readJson(body: Uint8Array, maxBytes: number, options: ReadJsonOptions = {}): Promise<object> {
  const { takesList = false } = options;
  const bytes = BYTE_ORDER_MARK.every((byte, at) => body[at] === byte) ? body.subarray(3) : body;
  if (bytes.length === 0) return {};
  const ends = await scanContainers(bytes, resolveLimits(maxBytes, options));
  const json = await parseBody(bytes, ends);
  if (takesList && Array.isArray(json)) return { items: json };
  if (!isObject(json)) throw coreTexts.error("bad_request", "json_object", {}, { field: "body" });
  return json;
}

/** Parses a body; on a syntax error scans the whole body for its position. */
async function parseBody(bytes: Uint8Array, ends: ContainerEnds): Promise<unknown> {
  try {
    return bytes.length <= SLICE_BYTES ? parse(bytes) : await readLong(bytes, ends);
  } catch (error) {
    throw error instanceof Malformed ? await findLongJsonSyntaxError(bytes, "body") : error;
  }
}

class Malformed extends Error {}

/** End offsets of long lists and objects, by their start offset. */
type ContainerEnds = ReadonlyMap<number, number>;

/** Counts without parsing: brackets for the depth, commas for the values, colons for the keys. Leaves syntax errors to the parser. */
async function scanContainers(bytes: Uint8Array, limits: Limits): Promise<ContainerEnds> {
  const ends = new Map<number, number>();
  const open: { readonly at: number; names: number }[] = [];
  let values = 1;
  let names = 0;
  let isText = false;
  let textAt = 0;
  let textBytes = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) {
        isText = false;
        textBytes = at - textAt - 1;
      }
    } else if (byte === QUOTE) {
      isText = true;
      textAt = at;
    } else if (byte === COMMA) values += 1;
    else if (byte === COLON) {
      names += 1;
      rejectAbove(textBytes, MAX_NAME_BYTES, "json_name_long");
      const object = open.at(-1);
      if (object) object.names += 1;
      rejectAbove(names, limits.names, "json_names");
      rejectAbove(object?.names ?? 0, limits.namesPerObject, "json_names_each");
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      if (open.push({ at, names: 0 }) > limits.depth)
        throw coreTexts.error("bad_request", "json_deep", { most: limits.depth }, { field: "body" });
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      const begin = open.pop()?.at ?? at;
      if (at - begin > SLICE_BYTES) ends.set(begin, at);
    }
    if (values > limits.values) rejectAbove(values, limits.values, "json_many");
    if (at % YIELD_EVERY_BYTES === YIELD_EVERY_BYTES - 1) await nextTurn();
  }
  return ends;
}

function rejectAbove(
  count: number,
  most: number,
  key: "json_many" | "json_names" | "json_names_each" | "json_name_long",
): void {
  if (count > most) throw coreTexts.error("too_large", key, { most: Math.floor(most) }, { field: "body" });
}

/** Parses a long list or object in pieces; short neighbouring members are parsed together. */
async function readLong(bytes: Uint8Array, ends: ContainerEnds): Promise<unknown> {
  const begin = skipSpace(bytes, 0, bytes.length);
  const end = ends.get(begin);
  if (end === undefined || skipSpace(bytes, end + 1, bytes.length) < bytes.length) return parse(bytes);
  return readContainer(bytes, begin, end, ends);
}

async function readContainer(bytes: Uint8Array, from: number, to: number, ends: ContainerEnds): Promise<unknown> {
  const isList = bytes[from] === OPEN_LIST;
  if (bytes[to] !== (isList ? CLOSE_LIST : CLOSE_OBJECT)) throw new Malformed();
  const list: unknown[] = [];
  const object: Record<string, unknown> = {};
  const addPart = (begin: number, end: number) => {
    const part = parse(wrapInBrackets(bytes.subarray(begin, end), isList));
    if (isList) for (const one of part as unknown[]) list.push(one);
    else Object.assign(object, part);
  };
  let isFirst = true;
  for (let at = from + 1; ; isFirst = false) {
    const { cut, long } = findChunk(bytes, at, to, ends);
    const isLast = long === undefined && cut === to;
    if (isLast || cut > at) {
      const end = isLast ? cut : cut - 1;
      if (skipSpace(bytes, at, end) < end) addPart(at, end);
      else if (!(isLast && isFirst)) throw new Malformed();
    }
    if (isLast) return isList ? list : object;
    at = cut;
    if (long !== undefined) {
      const end = ends.get(long) ?? to;
      const key = isList ? undefined : parseKey(bytes.subarray(cut, long));
      if (isList && skipSpace(bytes, cut, long) !== long) throw new Malformed();
      const value = await readContainer(bytes, long, end, ends);
      if (key === undefined) list.push(value);
      else object[key] = value;
      at = skipSpace(bytes, end + 1, to);
      if (at === to) return isList ? list : object;
      if (bytes[at] !== COMMA) throw new Malformed();
      at += 1;
    }
    await nextTurn();
  }
}

/** Returns where a chunk of members ends: after a comma once the chunk is large enough to parse, or earlier, in front of a long member. */
function findChunk(bytes: Uint8Array, at: number, to: number, ends: ContainerEnds): { cut: number; long?: number } {
  let cut = at;
  let depth = 0;
  let isText = false;
  for (let here = at; here < to; here += 1) {
    const byte = bytes[here];
    if (isText) {
      if (byte === BACKSLASH) here += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (depth === 0 && ends.has(here)) return { cut, long: here };
      depth += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA && depth === 0) {
      cut = here + 1;
      if (cut - at > SLICE_BYTES) return { cut };
    }
  }
  return { cut: to };
}

/** Parses the key in front of a long value: `"name" :`. */
function parseKey(bytes: Uint8Array): string {
  const keys = Object.keys(parse(wrapInBrackets(Buffer.concat([bytes, Buffer.from('""')]), false)) as object);
  if (keys.length !== 1 || keys[0] === undefined) throw new Malformed();
  return keys[0];
}

function wrapInBrackets(bytes: Uint8Array, isList: boolean): Uint8Array {
  return Buffer.concat([Buffer.from(isList ? "[" : "{"), bytes, Buffer.from(isList ? "]" : "}")]);
}

function skipSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && WHITESPACE.has(bytes[at] ?? 0)) at += 1;
  return at;
}

function parse(bytes: Uint8Array): unknown {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw new Malformed(undefined, { cause });
  }
  checkKeys(json);
  return json;
}

/** Rejects prototype keys, infinite numbers and U+0000. Iterates instead of recursing, and allocates nothing for a plain value. */
function checkKeys(root: unknown): void {
  const nodes: object[] = [];
  const check = (key: string | number, value: unknown) => {
    if (typeof value === "object" && value !== null) nodes.push(value);
    else if (typeof value === "number" && !Number.isFinite(value)) {
      throw coreTexts.error("bad_request", "json_number", {}, { field: String(key) });
    } else if (typeof value === "string" && hasNul(value)) throw createNulError(String(key));
  };
  check("body", root);
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (Array.isArray(node)) {
      node.forEach((value, at) => void check(at, value));
      continue;
    }
    for (const key of Object.keys(node)) {
      if (hasNul(key)) throw createNulError("body");
      if (FORBIDDEN.has(key)) throw coreTexts.error("bad_request", "json_key", {}, { field: key });
      check(key, (node as Record<string, unknown>)[key]);
    }
  }
}
