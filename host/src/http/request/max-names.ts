import type { Description, Schema } from "@hapi/joi";
import type { Route } from "@parley/core";

/** Allowance for misspelled names, and for read-only fields that clients send back. */
const SPARE_NAMES = 1_000;

const maxNamesBySchema = new WeakMap<Schema, number | undefined>();

/** Returns the maximum count of names in a route's body; undefined when its schema allows any, or lists of objects. */
export function resolveMaxNames({ body }: Pick<Route, "body">): number | undefined {
  if (!body) return SPARE_NAMES;
  if (!maxNamesBySchema.has(body)) {
    const names = countNames(body.describe());
    maxNamesBySchema.set(body, Number.isFinite(names) ? names + SPARE_NAMES : undefined);
  }
  return maxNamesBySchema.get(body);
}

const SCALAR_TYPES = new Set(["string", "number", "boolean", "date", "binary", "symbol"]);

interface DescribedSchema extends Description {
  readonly patterns?: unknown;
  readonly items?: readonly DescribedSchema[];
  readonly whens?: unknown;
}

function countNames(description: DescribedSchema): number {
  const { type = "any", keys = {}, flags = {}, patterns, items, whens } = description;
  if (SCALAR_TYPES.has(type)) return 0;
  const isOnly = (flags as { readonly only?: boolean }).only === true;
  if (type === "any") return isOnly ? 0 : Infinity;
  if (type === "array") return items?.length && items.every((item) => countNames(item) === 0) ? 0 : Infinity;
  const isClosed = type === "object" && !patterns && !whens && Object.keys(keys).length > 0;
  if (!isClosed || (flags as { readonly unknown?: boolean }).unknown) return Infinity;
  return Object.values<DescribedSchema>(keys).reduce((sum, key) => sum + 1 + countNames(key), 0);
}
