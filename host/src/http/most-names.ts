import type { Description, Schema } from "@hapi/joi";
import type { Route } from "@parley/core";

/** For names that are written wrong, and for what a record answers and does not take. */
const SPARE_NAMES = 1_000;

const known = new WeakMap<Schema, number | undefined>();

/** How many names a body of this row may have; undefined where its schema takes any, or lists of objects. */
export function mostNamesOf({ body }: Pick<Route, "body">): number | undefined {
  if (!body) return SPARE_NAMES;
  if (!known.has(body)) {
    const names = namesIn(body.describe());
    known.set(body, Number.isFinite(names) ? names + SPARE_NAMES : undefined);
  }
  return known.get(body);
}

const PLAIN = new Set(["string", "number", "boolean", "date", "binary", "symbol"]);

interface Described extends Description {
  readonly patterns?: unknown;
  readonly items?: readonly Described[];
  readonly whens?: unknown;
}

function namesIn(description: Described): number {
  const { type = "any", keys = {}, flags = {}, patterns, items, whens } = description;
  if (PLAIN.has(type)) return 0;
  const isOnly = (flags as { readonly only?: boolean }).only === true;
  if (type === "any") return isOnly ? 0 : Infinity;
  if (type === "array") return items?.length && items.every((item) => namesIn(item) === 0) ? 0 : Infinity;
  const isClosed = type === "object" && !patterns && !whens && Object.keys(keys).length > 0;
  if (!isClosed || (flags as { readonly unknown?: boolean }).unknown) return Infinity;
  return Object.values<Described>(keys).reduce((sum, key) => sum + 1 + namesIn(key), 0);
}
