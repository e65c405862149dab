/** A JSON object with arbitrary fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for an object that is not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, else an empty object. */
export function toJsonObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Parses a JSON object; returns undefined for any other text. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
