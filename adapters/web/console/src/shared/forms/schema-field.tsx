import {
  Fieldset,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { FieldLabel } from "@parley/core";
import { useState } from "react";
import { useLocalized } from "../i18n/use-localized.ts";
import { isDeepEqual } from "../is-deep-equal.ts";
import { toJsonObject } from "../json-object.ts";
import { isJsonDraft, parseJsonDraft } from "./json-draft.ts";
import { stringifyJson } from "./json-text.ts";
import { RecordSelect } from "./record-select.tsx";
import { useTexts } from "./texts.ts";
import { useJsonError } from "./use-json-error.ts";

/** One property of a JSON Schema, as far as a form can show it; anything else is written as JSON. */
export interface FieldSchema {
  readonly type?: string;
  /** The localized label in the form; default is the key. */
  readonly label?: string;
  /** The label from its package. */
  readonly "x-parley"?: FieldLabel;
  readonly enum?: readonly unknown[];
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
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
  /** Undefined or null: the default. */
  readonly value: unknown;
  readonly isRequired: boolean;
  /** Undefined: back to the default. An incomplete JSON text is a `JsonDraft`. */
  readonly onChange: (value: unknown) => void;
  readonly error?: React.ReactNode;
}

/** Returns the label of a field: from the form, from its package, or its own name. */
export function useFieldLabel(): (name: string, field: FieldSchema) => string {
  const local = useLocalized();
  return (name, { label, "x-parley": own }) => label ?? (own?.title ? local(own.title) : name);
}

/** Formats a value as plain text where it is a text or a list of texts; else as JSON. */
function formatPlain(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function SchemaField(props: SchemaFieldProps) {
  const { t } = useTexts();
  const local = useLocalized();
  const { name, field, isRequired, onChange, error } = props;
  const value = props.value ?? field.default;
  const { title, help, record, options = {} } = field["x-parley"] ?? {};
  const nameOf = (one: unknown) => {
    const named = options[String(one)];
    return named ? local(named) : String(one);
  };
  const label = field.label ?? (title ? local(title) : name);
  if (Object.keys(field.properties ?? {}).length > 0) return <FieldGroup {...props} value={value} />;
  const isPlain = field.default === undefined || field.default === "" || JSON.stringify(field.default) === "[]";
  const fallback = isPlain
    ? ""
    : t("defaultIs", { value: field.enum ? nameOf(field.default) : formatPlain(field.default) });
  const placeholder = help ? local(help) : (field.description ?? "");
  const description = [placeholder, fallback].filter(Boolean).join(" · ");
  const common = { label, description: description || undefined, required: isRequired, error };
  if (record) {
    return <RecordSelect {...common} kind={record} value={String(value ?? "")} onChange={onChange} />;
  }
  if (field.type === "boolean") {
    return (
      <Switch
        label={label}
        description={placeholder}
        error={error}
        checked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  }
  if (field.enum) {
    const byText = new Map(field.enum.map((one) => [String(one), one]));
    return (
      <NativeSelect
        {...common}
        value={String(value ?? "")}
        onChange={({ currentTarget }) => onChange(byText.get(currentTarget.value))}
        // Without a default nothing is chosen until a person chooses.
        data={(field.default === undefined && !byText.has("") ? ["", ...byText.keys()] : [...byText.keys()]).map(
          (one) => ({
            value: one,
            label: nameOf(one),
          }),
        )}
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
        onChange={(next) => onChange(next === "" ? undefined : Number(next))}
      />
    );
  }
  if (field.type === "array" && field.items?.type === "string") {
    return <TagsInput {...common} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange} />;
  }
  if (field.type === "string" || field.type === undefined) {
    return (
      <TextInput
        {...common}
        type={field.format === "uri" ? "url" : "text"}
        value={String(value ?? "")}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return <JsonField {...common} value={props.value} fallback={field.default} onChange={onChange} />;
}

interface JsonFieldProps extends Pick<SchemaFieldProps, "value" | "onChange" | "error"> {
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly fallback: unknown;
}

/** A value that has no form field: written as JSON, and formatted where something else set it. */
function JsonField({ value, fallback, onChange, error, ...common }: JsonFieldProps) {
  const fault = useJsonError();
  const [written, setWritten] = useState<string>();
  const isOwn = written !== undefined && isDeepEqual(parseWritten(written), value ?? undefined);
  const formatted = isJsonDraft(value) ? value.unfinishedJson : stringifyJson(value ?? fallback);
  const text = isOwn ? written : formatted;
  return (
    <Textarea
      {...common}
      autosize
      minRows={2}
      maxRows={12}
      value={text}
      onChange={({ currentTarget }) => {
        setWritten(currentTarget.value);
        onChange(parseWritten(currentTarget.value));
      }}
      styles={MONOSPACE}
      spellCheck={false}
      error={fault(text) ?? error}
    />
  );
}

function parseWritten(text: string): unknown {
  return text.trim() === "" ? undefined : parseJsonDraft(text);
}

/** A group of settings: an object with known keys. */
function FieldGroup({ name, field, value, onChange }: SchemaFieldProps) {
  const local = useLocalized();
  const { title, help } = field["x-parley"] ?? {};
  const fields = field.properties ?? {};
  const values = toJsonObject(value);
  const change = (key: string, next: unknown) => {
    const { [key]: _, ...rest } = values;
    const isLeftOut = next === undefined || (next === "" && fields[key]?.default === undefined);
    onChange(isLeftOut ? rest : { ...rest, [key]: next });
  };
  return (
    <Fieldset legend={field.label ?? (title ? local(title) : name)} p="sm">
      {(help || field.description !== undefined) && (
        <Text size="xs" c="dimmed" mb="xs">
          {help ? local(help) : field.description}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
        {Object.entries(fields).map(([key, one]) => (
          <SchemaField
            key={key}
            name={key}
            field={one}
            isRequired={false}
            value={values[key]}
            onChange={(next) => change(key, next)}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
