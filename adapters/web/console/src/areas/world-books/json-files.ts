import { parseJson } from "../../shared/forms/json-text.ts";

/** Parses a JSON file; throws the message of `fault` for a syntax error, and `sentence` where the content is no object. */
export async function readJsonFile(
  file: File,
  fault: (text: string) => string | undefined,
  sentence: string,
): Promise<object> {
  const text = await file.text();
  const json = parseJson(text)?.value;
  if (typeof json === "object" && json !== null) return json;
  throw new Error(fault(text) ?? sentence);
}
