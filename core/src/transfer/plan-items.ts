import { isDeepStrictEqual } from "node:util";
import { toItemFailure } from "../error-texts.ts";
import { AppError } from "../errors.ts";
import { isObject } from "../json/index.ts";
import type { TransferContext, TransferItem } from "../points/data/transfer-section.ts";

export interface NamedItem {
  readonly id: string;
  readonly name: string;
}

/**
 * Plans incoming items against the existing ones, one row each, by id. A text or error in place of an item is the reason it is
 * skipped. Items with one of `mergedIds` are updated in every mode, others only when overwriting.
 */
export function planItems<Item extends NamedItem>(
  existing: ReadonlyMap<string, Item>,
  incoming: readonly (readonly [NamedItem, Item | SkipReason])[],
  { mode }: Pick<TransferContext, "mode">,
  mergedIds: ReadonlySet<string> = new Set(),
): readonly TransferItem[] {
  return incoming.map(([{ id, name }, item]) => {
    if (isSkipReason(item)) return { id, name, action: "skip", changed_fields: [], ...toSkipFields(item) };
    const old = existing.get(id);
    if (!old) return { id, name, action: "create", changed_fields: [] };
    const changed = mode === "overwrite" || mergedIds.has(id) ? diffFields(old, item) : [];
    return { id, name, action: changed.length > 0 ? "update" : "skip", changed_fields: changed };
  });
}

/** Reason an item is skipped; an error is localized. */
export type SkipReason = string | AppError;

export function isSkipReason(item: unknown): item is SkipReason {
  return typeof item === "string" || AppError.is(item);
}

function toSkipFields(reason: SkipReason): Pick<TransferItem, "why" | "why_detail"> {
  if (typeof reason === "string") return { why: reason };
  const { error, detail } = toItemFailure(reason);
  return { why: error, ...(detail && { why_detail: detail }) };
}

/** Returns the fields whose values differ in the second object. */
export function diffFields(before: object, after: object): readonly string[] {
  const old = before as Readonly<Record<string, unknown>>;
  return Object.entries(after).flatMap(([key, value]) => (isDeepStrictEqual(old[key], value) ? [] : [key]));
}

/**
 * Returns the incoming record merged with the values set here: fields that differ from their default stay, also inside objects.
 * Fields without a default count as set.
 */
export function mergeUnset<Item extends object>(item: Item, existing: object, defaults: object): Item {
  const here = existing as Readonly<Record<string, unknown>>;
  const unset = defaults as Readonly<Record<string, unknown>>;
  const merged = Object.entries({ ...here, ...item }).map(([key, value]) => {
    if (!(key in here)) return [key, value];
    if (key in unset && isDeepStrictEqual(here[key], unset[key])) return [key, value];
    const isNested = isObject(value) && isObject(here[key]) && isObject(unset[key]);
    return [key, isNested ? mergeUnset(value, here[key] as object, unset[key] as object) : here[key]];
  });
  return Object.fromEntries(merged) as Item;
}

/** Returns the environment variables named in a record: in keys `…_env`, single or several, and `env_names`. */
export function findVariables(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "env_names" || key.endsWith("_env")) return collectTexts(inner);
    return findVariables(inner);
  });
}

function collectTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(collectTexts) : [];
}
