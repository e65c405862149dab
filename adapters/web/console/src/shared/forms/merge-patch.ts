import type { Localized, SettingGroup } from "@parley/core";

/** One setting that a plugin offers. */
export interface SettingRow {
  readonly key: string;
  readonly group: SettingGroup;
  readonly title: Localized;
  readonly help: Localized | null;
  /** JSON Schema of its value. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly default: unknown;
  readonly restart_required: boolean;
}

/** The effective settings, nested as the service stores them, and the source of each value. */
export interface Settings {
  readonly revision: number;
  readonly _meta: {
    readonly sources: Readonly<Record<string, "file" | "env" | "default">>;
    /** Definitions of all settings, in the order of the page. */
    readonly definitions: readonly SettingRow[];
  };
  readonly [section: string]: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** The value of a dotted key. */
export function getValue(settings: Values, key: string): unknown {
  return key.split(".").reduce<unknown>((value, part) => (value as Values | undefined)?.[part], settings);
}

/** Returns the changed values that differ from the effective ones. */
export function diffValues(settings: Values, changed: Values): Values {
  return Object.fromEntries(
    Object.entries(changed).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(getValue(settings, key))),
  );
}

/** Dotted keys as the nested object that the service merges. */
export function toMergePatch(changes: Values): Values {
  let patch: Values = {};
  for (const [key, value] of Object.entries(changes)) patch = setValue(patch, key.split("."), value);
  return patch;
}

function setValue(values: Values, [first = "", ...rest]: readonly string[], value: unknown): Values {
  if (rest.length === 0) return { ...values, [first]: value };
  return { ...values, [first]: setValue((values[first] as Values | undefined) ?? {}, rest, value) };
}
