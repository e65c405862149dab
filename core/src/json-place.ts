import { findErrorOffset, type TextPosition, toTextPosition } from "./json/json-scanner.ts";

/** Returns the position of the syntax error in a text that `JSON.parse` rejects. */
export function findJsonErrorPosition(text: string): TextPosition {
  const bytes = new TextEncoder().encode(text);
  return toTextPosition(bytes, findErrorOffset(bytes));
}

export { /** @deprecated Use `findJsonErrorPosition`. */ findJsonErrorPosition as jsonFaultIn };
