import { type JsonObject, parseJsonObject } from "../../shared/json-object.ts";

/** Parses a JSON file; throws the message of `fault` for a syntax error, and `sentence` where the content is no object. */
export async function readJsonFile(
  file: File,
  fault: (text: string) => string | undefined,
  sentence: string,
): Promise<JsonObject> {
  const text = await file.text();
  const json = parseJsonObject(text);
  if (json) return json;
  throw new Error(fault(text) ?? sentence);
}
