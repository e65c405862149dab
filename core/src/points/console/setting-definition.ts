import Joi, { type Schema } from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import { anySchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";
import { localizedSchema } from "../../validation/localized-schema.ts";

/** Groups of the settings page, in order. */
export const SETTING_GROUPS = ["general", "answering", "people", "network", "connections", "system"] as const;
/** A page of the console's settings. */
export type SettingGroup = (typeof SETTING_GROUPS)[number];

/** One setting that can be changed while the service runs. The plugin that declares it must act on it. */
export interface SettingDefinition<Value = unknown> {
  /** Dotted path: `chat.turn_timeout_s`; its place in data/settings.json. */
  readonly key: string;
  /** Schema and default of the value; also the form on the settings page. */
  readonly schema: Schema<Value>;
  readonly title: Localized;
  /** Labels of a choice, by value. */
  readonly options?: Readonly<Record<string, Localized>>;
  /** One sentence about the effect of the setting. */
  readonly help?: Localized;
  readonly group: SettingGroup;
  /** Environment variable used when the file has no value. */
  readonly env?: string;
  /** Section and key in config.ini that also set it; a list is written with commas. */
  readonly line?: readonly [section: string, key: string];
  /** True when the plugin reads the setting only once, at start. */
  readonly needsRestart?: true;
}

/** Types a setting by its schema. */
export function setting<Value>(definition: SettingDefinition<Value>): SettingDefinition<Value> {
  return definition;
}

const localized = localizedSchema;

const settingShape = validateWith<SettingDefinition>(
  Joi.object<SettingDefinition>({
    key: Joi.string()
      .pattern(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/, "words of a-z, 0-9 and _, with dots between them")
      .invalid("plugins", "revision")
      .required(),
    schema: anySchema.required(),
    title: localized.required(),
    help: localized,
    options: Joi.object().pattern(Joi.string(), localized),
    group: Joi.valid(...SETTING_GROUPS).required(),
    env: wordSchema,
    line: Joi.array().length(2).items(wordSchema),
    needsRestart: Joi.valid(true),
  }).unknown(),
);

/** Settings that can be changed while the service runs. */
export const SettingDefinitions: ExtensionPoint<SettingDefinition> = extensionPoint("setting-definitions", {
  accept(contribution) {
    const definition = settingShape(contribution);
    const { value, error } = definition.schema.validate(undefined);
    if (error || value === undefined) throw new Error(`the schema of '${definition.key}' gives no default`);
    return definition;
  },
  unique: { kind: "setting", names: ({ key }) => [key] },
});
