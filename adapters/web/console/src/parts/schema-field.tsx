import { JsonInput, NativeSelect, NumberInput, Switch, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n.ts";

/** One property of a JSON Schema, as far as a form can show it; anything else is written as JSON. */
export interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: FieldSchema;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

interface SchemaFieldProps {
  readonly name: string;
  readonly field: FieldSchema;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly put: (value: unknown) => void;
}

export function SchemaField({ name, field, value, isRequired, put }: SchemaFieldProps) {
  const { t } = useTexts();
  const fallback = field.default === undefined ? "" : `${t("default")}: ${JSON.stringify(field.default)}`;
  const description = [field.description, fallback].filter(Boolean).join(" · ");
  const common = { label: name, description: description || undefined, required: isRequired };
  if (field.type === "boolean") {
    return (
      <Switch
        label={name}
        description={field.description}
        checked={value === true}
        onChange={({ currentTarget }) => put(currentTarget.checked)}
      />
    );
  }
  if (field.enum) {
    const byText = new Map(field.enum.map((one) => [String(one), one]));
    return (
      <NativeSelect
        {...common}
        value={String(value ?? "")}
        onChange={({ currentTarget }) => put(byText.get(currentTarget.value))}
        data={[...byText.keys()]}
      />
    );
  }
  if (field.type === "number" || field.type === "integer") {
    return (
      <NumberInput
        {...common}
        {...(field.minimum !== undefined && { min: field.minimum })}
        {...(field.maximum !== undefined && { max: field.maximum })}
        allowDecimal={field.type === "number"}
        value={typeof value === "number" ? value : ""}
        onChange={(next) => put(next === "" ? undefined : Number(next))}
      />
    );
  }
  if (field.type === "array" && field.items?.type === "string") {
    return <TagsInput {...common} value={Array.isArray(value) ? value.map(String) : []} onChange={put} />;
  }
  if (field.type === "string" || field.type === undefined) {
    return (
      <TextInput
        {...common}
        maxLength={field.maxLength}
        type={field.format === "uri" ? "url" : "text"}
        value={String(value ?? "")}
        onChange={({ currentTarget }) => put(currentTarget.value)}
      />
    );
  }
  return <JsonField {...common} value={value} put={put} />;
}

interface JsonFieldProps {
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly value: unknown;
  readonly put: (value: unknown) => void;
}

/** Lists and objects that have no form; kept as typed until they are JSON again. */
function JsonField({ value, put, ...common }: JsonFieldProps) {
  const { t } = useTexts();
  const [text, setText] = useState(() => JSON.stringify(value, null, 2) ?? "");
  const [isBroken, setBroken] = useState(false);
  const typed = (next: string) => {
    setText(next);
    try {
      put(JSON.parse(next));
      setBroken(false);
    } catch {
      setBroken(true);
    }
  };
  return (
    <JsonInput
      {...common}
      autosize
      minRows={2}
      maxRows={12}
      value={text}
      onChange={typed}
      error={isBroken && t("notJson")}
    />
  );
}
