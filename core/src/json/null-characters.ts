import type { AppError } from "../errors.ts";
import { coreTexts } from "../texts.ts";

const NUL = "\0";
/** Maximum depth searched; values nested deeper are rejected elsewhere. */
const MAX_DEPTH = 64;

/** Returns true when a text or key anywhere in a value contains U+0000, which PostgreSQL cannot store. */
export function hasNul(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return value.includes(NUL);
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.some((one) => hasNul(one, depth + 1));
  for (const key of Object.keys(value)) {
    if (key.includes(NUL) || hasNul((value as Readonly<Record<string, unknown>>)[key], depth + 1)) return true;
  }
  return false;
}

/** Creates the `bad_request` for U+0000 in a field of a request. */
export function createNulError(field: string): AppError {
  return coreTexts.error("bad_request", "nul", {}, { field });
}

/** Returns the value without U+0000; the same object when it contains none. */
export function removeNul<T>(value: T): T {
  return hasNul(value) ? (removeNulAtDepth(value, 0) as T) : value;
}

function removeNulAtDepth(value: unknown, depth: number): unknown {
  if (typeof value === "string") return value.replaceAll(NUL, "");
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => removeNulAtDepth(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.replaceAll(NUL, ""), removeNulAtDepth(inner, depth + 1)]),
  );
}
