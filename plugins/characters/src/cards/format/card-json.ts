import { createJsonSyntaxError, type ItemFailure, stripByteOrderMark, toLocalized } from "@parley/core";
import { parseJsonBytes } from "@parley/core/http";
import { cardTexts } from "../../texts.ts";

export { isObject, type JsonObject as Json } from "@parley/core/json";

/** Maximum size of the JSON of a card, with all its content. */
export const MAX_CARD_BYTES = 5 * 1024 * 1024;
const MAX_DEPTH = 64;
/** Approximate maximum number of values; no author writes more, and reading them would block the event loop. */
const MAX_VALUES = 500_000;
const UNSAFE_KEYS = ["__proto__", "constructor", "prototype"];

export interface ReadJson {
  readonly json: unknown;
  readonly warnings: readonly ItemFailure[];
}

/** Parses untrusted JSON; unsafe names such as `__proto__` are omitted with a warning. */
export function readCardJson(input: Uint8Array, kind: "card" | "file" = "card", maxBytes = MAX_CARD_BYTES): ReadJson {
  if (input.length > maxBytes)
    throw cardTexts.error("too_large", `${kind}_large`, { most: Math.floor(maxBytes / 1_048_576) });
  const bytes = stripByteOrderMark(input);
  if (countValues(bytes) > MAX_VALUES) throw cardTexts.error("too_large", `${kind}_values`);
  const dropped = new Set<string>();
  const json = toPlainValue(parseJson(bytes, kind), dropped, 0);
  return { json, warnings: [...dropped].map((name) => cardTexts.message("key_left_out", { name })) };
}

function parseJson(bytes: Uint8Array, kind: "card" | "file"): unknown {
  try {
    return parseJsonBytes(bytes);
  } catch (cause) {
    throw cardTexts.error(
      "bad_request",
      `${kind}_no_json`,
      { problem: toLocalized(createJsonSyntaxError(bytes)) },
      { cause },
    );
  }
}

const SEPARATORS = new Set(Buffer.from(",:{["));

function countValues(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (SEPARATORS.has(byte)) count += 1;
  return count;
}

function toPlainValue(value: unknown, dropped: Set<string>, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) throw cardTexts.error("bad_request", "card_deep", { most: MAX_DEPTH });
  if (Array.isArray(value)) return value.map((item) => toPlainValue(item, dropped, depth + 1));
  const plain: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    if (UNSAFE_KEYS.includes(name)) dropped.add(name);
    else plain[name] = toPlainValue(item, dropped, depth + 1);
  }
  return plain;
}
