import { type JsonObject, parseJsonObject } from "../../shared/json-object.ts";

/** Parses a JSON file; throws the message of `toJsonError` for a syntax error, and `notAnObject` for any other JSON value. */
export async function readJsonFile(
  file: File,
  toJsonError: (text: string) => string | undefined,
  notAnObject: string,
): Promise<JsonObject> {
  const text = await file.text();
  const json = parseJsonObject(text);
  if (json) return json;
  throw new Error(toJsonError(text) ?? notAnObject);
}
