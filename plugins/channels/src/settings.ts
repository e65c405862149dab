import Joi, { type ObjectSchema } from "@hapi/joi";
import {
  type ChannelAdapter,
  COMMON_SETTINGS,
  type CommonSetting,
  type ErrorDetail,
  type FieldProblem,
  type IdempotencyMode,
  inBothLanguages,
  labelledForm,
  PATTERN_MESSAGES,
  problemOf,
  problemsIn,
} from "@parley/core";
import type { StoredChannel } from "./records.ts";

const KEYS = Object.keys(COMMON_SETTINGS) as readonly CommonSetting[];
/** In these nothing is left in doubt: a send is repeated, and the platform knows it again. */
const NEVER_IN_DOUBT: ReadonlySet<IdempotencyMode> = new Set(["native_key", "natural"]);

type WithSettings = Pick<ChannelAdapter, "settings" | "unusedSettings">;

export interface CheckedSettings {
  /** With the defaults of what is left out. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The first of the problems: `<key>: <why>`. */
  readonly error?: string;
  /** The same for those who read it in another language. */
  readonly detail?: ErrorDetail;
  /** All that is wrong, by the fields of a channel: `config.<key>`. */
  readonly problems: readonly FieldProblem[];
}

/**
 * A channel's settings: those every channel has and that count for its adapter, and its adapter's own. A type that is only
 * stood in for (it has no adapter, or not one of its name) keeps what nobody knows.
 */
export function checkedSettings(
  adapter: (WithSettings & Pick<ChannelAdapter, "type">) | undefined,
  type: string,
  config: Readonly<Record<string, unknown>>,
): CheckedSettings {
  const isCommon = ([key]: readonly [string, unknown]) => key in COMMON_SETTINGS;
  const given = Object.entries(config);
  const all = { errors: { label: false }, messages: PATTERN_MESSAGES, abortEarly: false } as const;
  const unused: ReadonlySet<string> = new Set(adapter?.unusedSettings);
  const common = given.filter((entry) => isCommon(entry) && !unused.has(entry[0]));
  const shared = commonSchema((key) => !unused.has(key)).validate(Object.fromEntries(common), all);
  const rest = Object.fromEntries(given.filter((entry) => !isCommon(entry)));
  const own = adapter?.settings.validate(rest, { ...all, allowUnknown: adapter?.type !== type }) ?? {
    value: rest,
    error: undefined,
  };
  const value = { ...shared.value, ...own.value };
  const problems = [shared, own].flatMap(({ error }) => (error ? problemsIn(error, "config") : []));
  const [first] = problems;
  return { value, problems, ...(first && wrongSetting(first)) };
}

function wrongSetting(problem: FieldProblem): Pick<CheckedSettings, "error" | "detail"> {
  const setting = problem.field?.replace(/^config\./, "") ?? "config";
  const because = inBothLanguages(problem.error, problem).zh;
  const detail = { key: "channels.setting", params: { setting, because }, chinese: "设置 {setting}：{because}" };
  return { error: `${setting}: ${problem.error}`, detail };
}

/** Those that were given something and have no effect on channels of this kind; what they are anyway is nothing given. */
export function givenInVain(
  adapter: WithSettings | undefined,
  config: Readonly<Record<string, unknown>>,
): readonly FieldProblem[] {
  const usual: Readonly<Record<string, unknown>> = commonSchema(() => true).validate({}).value;
  return (adapter?.unusedSettings ?? [])
    .filter((key) => ![undefined, JSON.stringify(usual[key])].includes(JSON.stringify(config[key] ?? undefined)))
    .map((setting) => {
      const { error, detail } = problemOf("setting_unused", {});
      return { ...detail, error, field: `config.${setting}` };
    });
}

/** What has an effect there as JSON Schema, for a form; null for a type that nobody serves. */
export function settingsSchema(
  adapter: (WithSettings & Pick<ChannelAdapter, "idempotency">) | undefined,
): object | null {
  if (!adapter) return null;
  const { settings, unusedSettings = [], idempotency } = adapter;
  const isSure = NEVER_IN_DOUBT.has(idempotency);
  const shared = commonSchema((key) => !unusedSettings.includes(key) && !(key === "on_unknown" && isSure));
  return labelledForm(settings.concat(shared));
}

function commonSchema(isOf: (key: CommonSetting) => boolean): ObjectSchema {
  return Joi.object(Object.fromEntries(KEYS.filter(isOf).map((key) => [key, COMMON_SETTINGS[key]])));
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
