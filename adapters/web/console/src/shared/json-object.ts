/** An object of JSON with arbitrary fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value where it is an object, and an empty object otherwise. */
export function toJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the object that a text is the JSON of; undefined for any other text. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value where it is a text, and an empty one otherwise. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
