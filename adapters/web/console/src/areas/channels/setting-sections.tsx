import { Fieldset, Stack } from "@mantine/core";
import type { FieldSection, Localized } from "@parley/core";
import { type FieldSchema, type FormSchema, selectFields } from "../../shared/forms/schema.ts";
import { SchemaFields } from "../../shared/forms/schema-form.tsx";
import { type TextKey, useTexts } from "./texts.ts";

const SECTIONS: readonly (readonly [title: TextKey, section: FieldSection | undefined])[] = [
  ["settings", undefined],
  ["answersWhen", "when"],
  ["answersHow", "how"],
  ["answersCost", "cost"],
];

/** The settings of a channel: those of its platform, then when it answers, how, and what that may cost. */
export function SettingSections({ schema, ...fields }: React.ComponentProps<typeof SchemaFields>) {
  const { t } = useTexts();
  return SECTIONS.map(([title, section]) => {
    const own = selectFields(schema, (_, field) => field["x-parley"]?.section === section);
    if (Object.keys(own.properties ?? {}).length === 0) return null;
    return (
      <Fieldset key={title} legend={t(title)} data-testid={`settings-${section ?? "platform"}`}>
        <Stack gap="sm">
          <SchemaFields {...fields} schema={own} />
        </Stack>
      </Fieldset>
    );
  });
}

/** Returns the title of a setting by its path (`auth.secret_env`); the path itself where its package gives none. */
export function findSettingTitle(schema: FieldSchema | null | undefined, path: string): Localized {
  const field = path
    .split(".")
    .reduce<FieldSchema | undefined>((one, key) => one?.properties?.[key], schema ?? undefined);
  return field?.["x-parley"]?.title ?? { en: path, zh: path };
}

/** False for a setting that has no effect with this transport. */
export function isUsedBy(transport: string, field: FieldSchema | undefined): boolean {
  return field?.["x-parley"]?.transports?.includes(transport) ?? true;
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
