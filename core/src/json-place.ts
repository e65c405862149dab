import { faultAt, type Place, placeOf } from "./json-scanner.ts";

/** Where a text that `JSON.parse` does not take stops being JSON. */
export function jsonFaultIn(text: string): Place {
  const bytes = new TextEncoder().encode(text);
  return placeOf(bytes, faultAt(bytes));
}
