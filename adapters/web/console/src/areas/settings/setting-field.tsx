import { NumberInput, Switch, TagsInput, TextInput } from "@mantine/core";
import type { SettingRow } from "./setting-groups.ts";
import { type TextKey, useTexts } from "./texts.ts";

interface SettingFieldProps {
  readonly row: SettingRow<TextKey>;
  readonly value: unknown;
  readonly source: "file" | "env" | "default" | undefined;
  readonly needsRestart: boolean;
  readonly put: (value: unknown) => void;
}

export function SettingField({ row, value, source, needsRestart, put }: SettingFieldProps) {
  const { t } = useTexts();
  const hints = [
    row.hint && t(row.hint),
    source === "env" && t("fromEnvironment"),
    needsRestart && t("needsRestart"),
  ].filter(Boolean);
  const common = { label: t(row.label), description: hints.join(" ") || undefined };
  switch (row.kind) {
    case "switch":
      return (
        <Switch {...common} checked={value === true} onChange={({ currentTarget }) => put(currentTarget.checked)} />
      );
    case "number":
      return (
        <NumberInput
          {...common}
          min={row.min ?? 0}
          max={row.max ?? Number.MAX_SAFE_INTEGER}
          allowDecimal={false}
          value={typeof value === "number" ? value : ""}
          onChange={(next) => next !== "" && put(Number(next))}
        />
      );
    case "list":
      return <TagsInput {...common} value={Array.isArray(value) ? value.map(String) : []} onChange={put} />;
    case "timezone":
      return (
        <>
          <TextInput
            {...common}
            list="timezones"
            value={String(value ?? "")}
            onChange={({ currentTarget }) => put(currentTarget.value)}
          />
          <datalist id="timezones">
            {Intl.supportedValuesOf("timeZone").map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      );
    case "text":
      return (
        <TextInput {...common} value={String(value ?? "")} onChange={({ currentTarget }) => put(currentTarget.value)} />
      );
  }
}
