import Joi, { type ObjectSchema } from "@hapi/joi";
import {
  type ChannelAdapter,
  COMMON_SETTINGS,
  type CommonSetting,
  type ErrorDetail,
  type FieldLabel,
  type FieldProblem,
  type IdempotencyMode,
  listCommonSettings,
  localizeMessage,
  PATTERN_MESSAGES,
  type ResourceForm,
  toFieldProblems,
  toResourceForm,
  toSharedProblem,
} from "@parley/core";
import { channelsTexts } from "../texts.ts";
import type { StoredChannel } from "./schema.ts";

const COMMON_SETTING_KEYS = Object.keys(COMMON_SETTINGS) as readonly CommonSetting[];
/** Modes without unknown outcomes: sends are retried and the platform deduplicates them. */
const IDEMPOTENT_MODES: ReadonlySet<IdempotencyMode> = new Set(["native_key", "natural"]);

type AdapterSettings = Pick<ChannelAdapter, "settings" | "unusedSettings">;

export interface ValidatedSettings {
  /** Settings with defaults filled in. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The first problem, as `<key>: <reason>`. */
  readonly error?: string;
  /** Localized detail of the error. */
  readonly detail?: ErrorDetail;
  /** All problems, by the field of the channel: `config.<key>`. */
  readonly problems: readonly FieldProblem[];
}

/**
 * Validates a channel's settings: the common ones that apply to its adapter, and the adapter's own. A type without
 * its own adapter keeps unknown settings. With `isStored`, a language that the operator has removed becomes `auto`.
 */
export function validateSettings(
  adapter: (AdapterSettings & Pick<ChannelAdapter, "type">) | undefined,
  type: string,
  config: Readonly<Record<string, unknown>>,
  { isStored = false } = {},
): ValidatedSettings {
  const isCommon = ([key]: readonly [string, unknown]) => key in COMMON_SETTINGS;
  const entries = Object.entries(config);
  const validateOptions = { errors: { label: false }, messages: PATTERN_MESSAGES, abortEarly: false } as const;
  const unused: ReadonlySet<string> = new Set(adapter?.unusedSettings);
  const common = entries.filter((entry) => isCommon(entry) && !unused.has(entry[0]));
  const schema = toCommonSchema((key) => !unused.has(key), isStored);
  const shared = schema.validate(Object.fromEntries(common), validateOptions);
  const rest = Object.fromEntries(entries.filter((entry) => !isCommon(entry)));
  const own = adapter?.settings.validate(rest, { ...validateOptions, allowUnknown: adapter?.type !== type }) ?? {
    value: rest,
    error: undefined,
  };
  const value = { ...shared.value, ...own.value };
  const problems = [shared, own].flatMap(({ error }) => (error ? toFieldProblems(error, "config") : []));
  const [first] = problems;
  return { value, problems, ...(first && toSettingError(first)) };
}

function toSettingError(problem: FieldProblem): Pick<ValidatedSettings, "error" | "detail"> {
  const setting = problem.field?.replace(/^config\./, "") ?? "config";
  const { field: _, ...withoutField } = problem;
  return channelsTexts.message("setting", { setting, reason: localizeMessage(problem.error, withoutField) });
}

/** Returns problems for common settings that were set but have no effect on this type; default values do not count. */
export function findUnusedSettings(
  adapter: AdapterSettings | undefined,
  config: Readonly<Record<string, unknown>>,
): readonly FieldProblem[] {
  const defaults: Readonly<Record<string, unknown>> = toCommonSchema(() => true).validate({}).value;
  return (adapter?.unusedSettings ?? [])
    .filter((key) => ![undefined, JSON.stringify(defaults[key])].includes(JSON.stringify(config[key] ?? undefined)))
    .map((setting) => {
      const { error, detail } = toSharedProblem("setting_unused", {});
      return { ...detail, error, field: `config.${setting}` };
    });
}

/** Returns the JSON Schema of the effective settings, for a form; null for an unserved type. */
export function toSettingsSchema(
  adapter: (AdapterSettings & Pick<ChannelAdapter, "idempotency">) | undefined,
): ResourceForm | null {
  if (!adapter) return null;
  const { settings, unusedSettings = [], idempotency } = adapter;
  const isIdempotent = IDEMPOTENT_MODES.has(idempotency);
  const shared = toCommonSchema((key) => !unusedSettings.includes(key) && !(key === "on_unknown" && isIdempotent));
  return toResourceForm(settings.concat(shared));
}

function toCommonSchema(isOf: (key: CommonSetting) => boolean, isStored = false): ObjectSchema {
  const { language, ...settings } = listCommonSettings();
  const all = { ...settings, language: isStored ? language.failover("auto") : language };
  return Joi.object(Object.fromEntries(COMMON_SETTING_KEYS.filter(isOf).map((key) => [key, all[key]])));
}

/** Lists the variables that the settings name at any depth, each once, with the path of its setting. */
export function listVariables(
  config: Readonly<Record<string, unknown>>,
  path = "",
): readonly { readonly name: string; readonly setting: string }[] {
  const all = Object.entries(config).flatMap(([key, value]) => {
    if (typeof value === "object" && value !== null)
      return listVariables(value as Record<string, unknown>, `${path}${key}.`);
    return key.endsWith("_env") && typeof value === "string" && value !== ""
      ? [{ name: value, setting: `${path}${key}` }]
      : [];
  });
  return all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index);
}

/** Returns false for a setting of the schema that has no effect with this transport. */
export function isUsedBy(schema: ResourceForm | null, transport: string, setting: string): boolean {
  const [key = ""] = setting.split(".", 1);
  const label = schema?.properties[key]?.["x-parley"] as FieldLabel | undefined;
  return label?.transports?.includes(transport) ?? true;
}

export function omitNulls(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}

/** Returns the adapter's webhook path, else the one of the common route. */
export function getWebhookPath(
  row: Pick<StoredChannel, "id" | "transport">,
  adapter: ChannelAdapter | undefined,
): string | null {
  if (row.transport !== "webhook") return null;
  return adapter?.webhookPath?.(row.id) ?? `/api/gateway/${row.id}/webhook`;
}
