import type { DataOf } from "@parley/client";
import type { Shapes } from "../api/client.ts";
import { toJsonObject } from "../json-object.ts";

/** One setting that a plugin offers. */
export type SettingRow = Shapes["SettingDefinition"];
/** The effective settings, nested as the service stores them, and the source of each value. */
export type Settings = DataOf<"get", "/api/settings">;

type Values = Readonly<Record<string, unknown>>;

/** Returns the value of a dotted key. */
export function getValue(settings: Values, key: string): unknown {
  return key.split(".").reduce<unknown>((value, part) => toJsonObject(value)[part], settings);
}

/** Converts dotted keys to the nested object that the service merges. */
export function toMergePatch(changes: Values): Values {
  let patch: Values = {};
  for (const [key, value] of Object.entries(changes)) patch = setValue(patch, key.split("."), value);
  return patch;
}

function setValue(values: Values, [first = "", ...rest]: readonly string[], value: unknown): Values {
  if (rest.length === 0) return { ...values, [first]: value };
  return { ...values, [first]: setValue(toJsonObject(values[first]), rest, value) };
}
