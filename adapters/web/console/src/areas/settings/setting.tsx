import { Button, Select } from "@mantine/core";
import { Field } from "../../shared/forms/field.tsx";
import { type FormField, toFormFields } from "../../shared/forms/form-fields.ts";
import type { SettingRow, Settings } from "../../shared/forms/merge-patch.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { isDeepEqual } from "../../shared/is-deep-equal.ts";
import { toJsonObject } from "../../shared/json-object.ts";
import { useTexts } from "./texts.ts";

const TIME_ZONE_KEY = "timezone";

interface SettingProps {
  readonly row: SettingRow;
  readonly values: Settings;
  readonly value: unknown;
  /** The service's validation error. */
  readonly error?: React.ReactNode;
  readonly onChange: (value: unknown) => void;
}

/** One setting: its field, the source of its value, and a reset to the default. */
export function Setting({ row, values, value, error, onChange }: SettingProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const field = toFormField(row);
  const hints = [
    row.help && localize(row.help),
    values._meta.sources[row.key] === "env" && t("fromEnvironment"),
    row.restart_required && t("needsRestart"),
  ].filter(Boolean);
  const help = hints.join(" ");
  const isChanged = !isDeepEqual(value ?? null, row.default);
  return (
    <div>
      {row.key === TIME_ZONE_KEY ? (
        <Select
          label={localize(row.title)}
          description={help}
          error={error}
          data={listTimeZones(String(value))}
          value={String(value)}
          onChange={(zone) => zone !== null && onChange(zone)}
          searchable
          allowDeselect={false}
          nothingFoundMessage={t("nothingFound")}
          maxDropdownHeight={280}
          data-field={row.key}
        />
      ) : (
        <Field field={{ ...field, help: { en: help, zh: help } }} value={value} error={error} onChange={onChange} />
      )}
      {isChanged && (
        <Button size="compact-xs" variant="subtle" color="gray" mt={2} ml={-6} onClick={() => onChange(row.default)}>
          {t("toDefault")}
        </Button>
      )}
    </div>
  );
}

function toFormField({ key, schema, title }: SettingRow): FormField {
  const [field] = toFormFields({
    properties: { [key]: { ...schema, "x-parley": { ...toJsonObject(schema["x-parley"]), title } } },
  });
  if (!field) throw new Error(`the setting '${key}' has no field`);
  return field;
}

/** All time zones the browser knows, and the current value even when it is another one. */
function listTimeZones(current: string): string[] {
  return [...new Set(["UTC", current, ...Intl.supportedValuesOf("timeZone")])].filter(Boolean);
}
