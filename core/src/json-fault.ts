import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AppError } from "./errors.ts";
import { faultAt, faultIn, placeOf } from "./json-scanner.ts";
import { coreFailure } from "./said-failures.ts";

/**
 * `bad_request` for what `JSON.parse` does not take: where it stops being JSON, by line and column from 1. `field` names
 * it; without one it is a part of a sentence: `saidOf(jsonRefusal(bytes))`.
 */
export function jsonRefusal(json: Uint8Array | string, field?: string): AppError {
  const bytes = typeof json === "string" ? Buffer.from(json) : json;
  return refusalAt(bytes, faultAt(bytes), field);
}

/** The same for a long one: others come between. */
export async function longJsonRefusal(bytes: Uint8Array, field?: string): Promise<AppError> {
  const search = faultIn(bytes);
  let step = search.next();
  for (; !step.done; step = search.next()) await nextTurn();
  return refusalAt(bytes, step.value, field);
}

function refusalAt(bytes: Uint8Array, at: number, field: string | undefined): AppError {
  const named = field === undefined ? {} : { field };
  return isUtf8(bytes)
    ? coreFailure("bad_request", "no_json", placeOf(bytes, at), named)
    : coreFailure("bad_request", "no_utf8", {}, named);
}
