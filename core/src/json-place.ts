import { findErrorOffset, type TextPosition, toTextPosition } from "./json/json-scanner.ts";

/** Where a text that `JSON.parse` does not take stops being JSON. */
export function jsonFaultIn(text: string): TextPosition {
  const bytes = new TextEncoder().encode(text);
  return toTextPosition(bytes, findErrorOffset(bytes));
}
