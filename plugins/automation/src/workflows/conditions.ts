import { isDeepStrictEqual } from "node:util";
import { findValue, toText, type Variables } from "./templates.ts";

export const OPERATORS = ["eq", "ne", "contains", "empty", "not_empty", "gt", "lt"] as const;

export interface Condition {
  readonly var: string;
  readonly op: (typeof OPERATORS)[number];
  readonly value?: unknown;
}

/** True when the condition of a step is met. Texts of digits are compared as numbers. */
export function isConditionMet(variables: Variables, { var: path, op, value }: Condition): boolean {
  const found = findValue(variables, path);
  switch (op) {
    case "eq":
      return isSame(found, value);
    case "ne":
      return !isSame(found, value);
    case "contains":
      return contains(found, value);
    case "empty":
      return isEmpty(found);
    case "not_empty":
      return !isEmpty(found);
    case "gt":
      return toNumber(found) > toNumber(value);
    case "lt":
      return toNumber(found) < toNumber(value);
  }
}

function isSame(found: unknown, value: unknown): boolean {
  if (isDeepStrictEqual(found ?? null, value ?? null)) return true;
  const isPlain = (one: unknown) => typeof one === "string" || typeof one === "number" || typeof one === "boolean";
  return isPlain(found) && isPlain(value) && toText(found).trim() === toText(value).trim();
}

function contains(found: unknown, value: unknown): boolean {
  if (Array.isArray(found)) return found.some((one) => isSame(one, value));
  return toText(found).toLowerCase().includes(toText(value).toLowerCase());
}

function isEmpty(found: unknown): boolean {
  if (typeof found === "object" && found !== null) return Object.keys(found).length === 0;
  return toText(found).trim() === "";
}

/** Converts a value to a number; NaN for anything else, so that every comparison is false. */
function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}
