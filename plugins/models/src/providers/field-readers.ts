import { isObject } from "@parley/core/json";
export type Json = Readonly<Record<string, unknown>>;
/** Converts a value to the type that the library accepts; undefined leaves the field out. */
export type ReadValue = (value: unknown) => unknown;
export type Fields = Readonly<Record<string, ReadValue>>;
/** Rewrites an event of a provider to a form that its library reads; undefined drops the event. */
export type TidyEvent = (event: Json) => object | undefined;

export const readText: ReadValue = (value) =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

/** Reads a number; some servers send a text of digits. */
export const readNumber: ReadValue = (value) => {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
};

/** Reads a text of JSON; some servers send the value itself instead, or null. */
export const readJsonText: ReadValue = (value) =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : (readText(value) ?? "");

/** Creates a reader like `read` with a default for a missing value or one of another type. */
export const readOr =
  (read: ReadValue, missing: unknown): ReadValue =>
  (value) =>
    read(value) ?? missing;

/** Creates a reader of an object; `required` fields are read even if they are missing. */
export const readObject =
  (fields: Fields, required: readonly string[] = []): ReadValue =>
  (value) =>
    isObject(value) ? readFields(value, fields, required) : undefined;

export const readList =
  (fields: Fields, required: readonly string[] = []): ReadValue =>
  (value) =>
    Array.isArray(value) ? value.filter(isObject).map((one) => readFields(one, fields, required)) : undefined;

/** Returns the object with the named fields converted, and all others unchanged. */
export function readFields(value: Json, fields: Fields, required: readonly string[] = []): Json {
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => [name, undefined] as const);
  const read = [...Object.entries(value), ...missing].map(([name, own]) => {
    const readValue = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, readValue ? readValue(own) : own] as const;
  });
  return Object.fromEntries(read.filter(([, own]) => own !== undefined));
}
