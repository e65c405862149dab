import { NativeSelect, NumberInput, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useTexts } from "../i18n.ts";
import { jsonOf, textOf } from "../settings/json-text.ts";

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

const MONOSPACE = { input: { fontFamily: "var(--mantine-font-family-monospace)" } } as const;

interface SchemaFieldProps {
  readonly name: string;
  readonly field: FieldSchema;
  readonly value: unknown;
  readonly isRequired: boolean;
  /** Undefined: back to the default. */
  readonly put: (value: unknown) => void;
  /** JSON as it is being written; undefined while nobody writes. */
  readonly written: string | undefined;
  readonly write: (text: string) => void;
}

export function SchemaField({ name, field, value, isRequired, put, written, write }: SchemaFieldProps) {
  const { t } = useTexts();
  const isPlain = field.default === undefined || field.default === "";
  const fallback = isPlain ? "" : `${t("default")}: ${JSON.stringify(field.default)}`;
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
  // Lists and objects that have no form: kept as written until they are JSON again.
  const text = written ?? textOf(value);
  return (
    <Textarea
      {...common}
      autosize
      minRows={2}
      maxRows={12}
      value={text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
      styles={MONOSPACE}
      spellCheck={false}
      error={jsonOf(text) === undefined && t("notJson")}
    />
  );
}
