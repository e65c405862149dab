import { TextInput } from "@mantine/core";
import { useState } from "react";
import { readSchema } from "../../shared/forms/foreign-schema.ts";
import { jsonOf } from "../../shared/forms/json-text.ts";
import type { SettingDefinition } from "../../shared/forms/merge-patch.ts";
import { SchemaField } from "../../shared/forms/schema-field.tsx";
import { useTexts } from "./texts.ts";

interface SettingFieldProps {
  readonly setting: SettingDefinition;
  readonly value: unknown;
  readonly source: "file" | "env" | "default" | undefined;
  /** null: back to the default. */
  readonly put: (value: unknown) => void;
}

/** One setting, by its schema and with the words of the plugin that offers it. */
export function SettingField({ setting, value, source, put }: SettingFieldProps) {
  const { t, language } = useTexts();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const { key, title, help, schema, restart_required } = setting;
  const inWords = language === "zh-CN" ? "zh" : "en";
  const label = title[inWords];
  const description = [help?.[inWords], source === "env" && t("fromEnvironment"), restart_required && t("needsRestart")]
    .filter(Boolean)
    .join(" ");
  if (key === "timezone") return <TimeZoneField {...{ label, description, put }} value={String(value ?? "")} />;
  const field = readSchema({ properties: { [key]: schema } }).properties?.[key] ?? { type: "json" };
  const json = {
    texts,
    write(path: string, text: string, take: (next: unknown) => void) {
      setTexts((before) => ({ ...before, [path]: text }));
      const written = jsonOf(text);
      if (written) take(written.value);
    },
  };
  return (
    <SchemaField
      name={label}
      path={key}
      field={{ ...field, description }}
      value={value}
      isRequired={false}
      put={(next) => put(next === undefined ? null : next)}
      json={json}
    />
  );
}

interface TimeZoneFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly put: (value: unknown) => void;
}

/** Zones are many: they are proposed while one types. */
function TimeZoneField({ label, description, value, put }: TimeZoneFieldProps) {
  return (
    <>
      <TextInput
        label={label}
        description={description}
        list="timezones"
        value={value}
        onChange={({ currentTarget }) => put(currentTarget.value)}
      />
      <datalist id="timezones">
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
