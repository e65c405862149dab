import { type ItemFailure, jsonRefusal, saidOf, withoutMark } from "@parley/core";
import { personalityFailure } from "../said-failures.ts";
import { cardWarning } from "../said-warnings.ts";

export type Json = Readonly<Record<string, unknown>>;

/** The JSON of a card, and with it everything that a card can hold. */
export const MAX_CARD_BYTES = 5 * 1024 * 1024;
const MAX_DEPTH = 64;
/** Values, about: no author writes more, and they would stop everything else while they are read. */
const MAX_VALUES = 500_000;
const STEERING = ["__proto__", "constructor", "prototype"];

export interface ReadJson {
  readonly json: unknown;
  readonly warnings: readonly ItemFailure[];
}

/** JSON of a stranger as plain values; names that steer the language are left out with a warning. */
export function readCardJson(given: Uint8Array, what: "card" | "file" = "card", most = MAX_CARD_BYTES): ReadJson {
  if (given.length > most)
    throw personalityFailure("too_large", `${what}_large`, { most: Math.floor(most / 1_048_576) });
  const bytes = withoutMark(given);
  if (valuesIn(bytes) > MAX_VALUES) throw personalityFailure("too_large", `${what}_values`);
  const dropped = new Set<string>();
  const json = plainOf(parsed(bytes, what), dropped, 0);
  return { json, warnings: [...dropped].map((name) => cardWarning("key_left_out", { name })) };
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(bytes: Uint8Array, what: "card" | "file"): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw personalityFailure("bad_request", `${what}_no_json`, { problem: saidOf(jsonRefusal(bytes)) }, { cause });
  }
}

const SEPARATORS = new Set(Buffer.from(",:{["));

function valuesIn(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (SEPARATORS.has(byte)) count += 1;
  return count;
}

function plainOf(value: unknown, dropped: Set<string>, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) throw personalityFailure("bad_request", "card_deep", { most: MAX_DEPTH });
  if (Array.isArray(value)) return value.map((item) => plainOf(item, dropped, depth + 1));
  const plain: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    if (STEERING.includes(name)) dropped.add(name);
    else plain[name] = plainOf(item, dropped, depth + 1);
  }
  return plain;
}
