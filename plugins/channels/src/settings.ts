import Joi from "@hapi/joi";
import { type ChannelAdapter, COMMON_SETTINGS, type FieldProblem, labelledForm, problemsIn } from "@parley/core";
import type { StoredChannel } from "./records.ts";

const common = Joi.object(COMMON_SETTINGS);

export interface CheckedSettings {
  /** With the defaults of what is left out. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The first of the problems: `<key>: <why>`. */
  readonly error?: string;
  /** All that is wrong, by the fields of a channel: `config.<key>`. */
  readonly problems: readonly FieldProblem[];
}

/**
 * A channel's settings: those every channel has, and its adapter's own. A type that is only stood in for (it has no
 * adapter, or not one of its name) keeps what nobody knows.
 */
export function checkedSettings(
  adapter: Pick<ChannelAdapter, "settings" | "type"> | undefined,
  type: string,
  config: Readonly<Record<string, unknown>>,
): CheckedSettings {
  const isCommon = ([key]: readonly [string, unknown]) => key in COMMON_SETTINGS;
  const given = Object.entries(config);
  const all = { errors: { label: false }, abortEarly: false } as const;
  const shared = common.validate(Object.fromEntries(given.filter(isCommon)), all);
  const rest = Object.fromEntries(given.filter((entry) => !isCommon(entry)));
  const own = adapter?.settings.validate(rest, { ...all, allowUnknown: adapter?.type !== type }) ?? {
    value: rest,
    error: undefined,
  };
  const value = { ...shared.value, ...own.value };
  const problems = [shared, own].flatMap(({ error }) => (error ? problemsIn(error, "config") : []));
  const [first] = problems;
  if (!first) return { value, problems };
  return { value, problems, error: `${first.field?.replace(/^config\./, "")}: ${first.error}` };
}

/** The same as JSON Schema, for a form; null for a type that nobody serves. */
export function settingsSchema(adapter: Pick<ChannelAdapter, "settings"> | undefined): object | null {
  if (!adapter) return null;
  return labelledForm(adapter.settings.concat(common));
}

/** Variables that the settings name, at any depth, with the place of each. */
export function namedVariables(
  config: Readonly<Record<string, unknown>>,
  path = "",
): readonly { readonly name: string; readonly setting: string }[] {
  const all = Object.entries(config).flatMap(([key, value]) => {
    if (typeof value === "object" && value !== null)
      return namedVariables(value as Record<string, unknown>, `${path}${key}.`);
    return key.endsWith("_env") && typeof value === "string" && value !== ""
      ? [{ name: value, setting: `${path}${key}` }]
      : [];
  });
  return all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index);
}

export function withoutNulls(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}

/** The path its adapter gives; without one, the row that serves every channel. */
export function webhookPath(
  row: Pick<StoredChannel, "id" | "transport">,
  adapter: ChannelAdapter | undefined,
): string | null {
  if (row.transport !== "webhook") return null;
  return adapter?.webhookPath?.(row.id) ?? `/api/gateway/${row.id}/webhook`;
}
