import type { Localized } from "@parley/core";
import type { FieldSchema, FormSchema } from "../../shared/forms/schema.ts";

/** Returns the title of a setting by its path (`auth.secret_env`); the path itself where its package gives none. */
export function findSettingTitle(schema: FieldSchema | null | undefined, path: string): Localized {
  const field = path
    .split(".")
    .reduce<FieldSchema | undefined>((one, key) => one?.properties?.[key], schema ?? undefined);
  return field?.["x-parley"]?.title ?? { en: path, zh: path };
}

/** True when a setting is the name of a stored secret or of an environment variable. */
const isSecretName = (key: string) => key.endsWith("_env");

/** Returns either the settings that name secrets or all others; a group with both is in both results. */
export function filterSettings<Schema extends FormSchema>(areSecretNames: boolean, schema: Schema): Schema {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([key, field]): [string, FieldSchema][] => {
    if (!field.properties) return isSecretName(key) === areSecretNames ? [[key, field]] : [];
    const inner = filterSettings(areSecretNames, field);
    return Object.keys(inner.properties ?? {}).length > 0 ? [[key, inner]] : [];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** Labels the settings that name environment variables; `toLabel` makes the label from the setting's title. */
export function labelVariables(
  { properties = {}, ...rest }: FormSchema,
  toLabel: (title: Localized) => string,
): FormSchema {
  const fields = Object.entries(properties).map(([key, field]): readonly [string, FieldSchema] => {
    const title = field["x-parley"]?.title;
    const inner = field.properties && labelVariables({ properties: field.properties }, toLabel).properties;
    const label = isSecretName(key) && title && toLabel(title);
    return [key, { ...field, ...(label && { label }), ...(inner && { properties: inner }) }];
  });
  return { ...rest, properties: Object.fromEntries(fields) };
}
