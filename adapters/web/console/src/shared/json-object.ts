export { isObject as isJsonObject, type JsonObject, parseJsonObject, toJsonObject } from "@parley/core/json";

/** Returns the value if it is a string, else `""`. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
