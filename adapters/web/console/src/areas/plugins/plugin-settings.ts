import type { FieldSchema } from "../../shared/forms/schema-field.tsx";
import type { FormSchema } from "../../shared/forms/schema-form.tsx";
import { pluginSettingTitle } from "./setting-titles.ts";

/** Adds titles to a schema. A title of the package itself has precedence. */
export function withSettingTitles(
  plugin: string,
  { properties = {}, ...rest }: FormSchema,
  language: string,
): FormSchema {
  const fields = Object.entries(properties).map(([key, field]): readonly [string, FieldSchema] => {
    const hasOwnTitle = field["x-parley"]?.title !== undefined;
    return [key, hasOwnTitle ? field : { ...field, label: pluginSettingTitle(plugin, key, language) }];
  });
  return { ...rest, properties: Object.fromEntries(fields) };
}
