import { filterFields } from "./objects.ts";
/** Compares two JSON values. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the values that differ from those before. */
export function diffValues<Values extends object>(values: Values, before: Values): Partial<Values> {
  const then = new Map<string, unknown>(Object.entries(before));
  return filterFields(values, (name, value) => !isDeepEqual(value, then.get(name)));
}
