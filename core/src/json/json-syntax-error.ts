import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AppError } from "../errors.ts";
import { coreTexts } from "../texts.ts";
import { findErrorOffset, scanForError, toTextPosition } from "./json-scanner.ts";

/**
 * Creates the `bad_request` for text that `JSON.parse` rejects, with line and column from 1. `field` names its field;
 * without one the message is part of a sentence: `toLocalized(createJsonSyntaxError(bytes))`.
 */
export function createJsonSyntaxError(json: Uint8Array | string, field?: string): AppError {
  const bytes = typeof json === "string" ? Buffer.from(json) : json;
  return createSyntaxError(bytes, findErrorOffset(bytes), field);
}

/** Finds the syntax error of a long text, yielding to the event loop. */
export async function findLongJsonSyntaxError(bytes: Uint8Array, field?: string): Promise<AppError> {
  const search = scanForError(bytes);
  let step = search.next();
  for (; !step.done; step = search.next()) await nextTurn();
  return createSyntaxError(bytes, step.value, field);
}

function createSyntaxError(bytes: Uint8Array, at: number, field: string | undefined): AppError {
  const named = field === undefined ? {} : { field };
  return isUtf8(bytes)
    ? coreTexts.error("bad_request", "no_json", toTextPosition(bytes, at), named)
    : coreTexts.error("bad_request", "no_utf8", {}, named);
}
