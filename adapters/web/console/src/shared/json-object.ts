/** A JSON object with arbitrary fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, else an empty object. */
export function toJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Parses a JSON object; returns undefined for any other text. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value if it is a string, else `""`. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
