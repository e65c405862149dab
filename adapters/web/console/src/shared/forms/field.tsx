import {
  Checkbox,
  ColorInput,
  Fieldset,
  Group,
  Input,
  NativeSelect,
  NumberInput,
  PasswordInput,
  SimpleGrid,
  Slider,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { useLocalized } from "../i18n/use-localized.ts";
import { isDeepEqual } from "../is-deep-equal.ts";
import { toJsonObject } from "../json-object.ts";
import { Editor } from "../ui/form/editor.tsx";
import { TimeInput } from "../ui/form/time-input.tsx";
import { toInstant, toLocalTime } from "../ui/form/time-text.ts";
import { FileField } from "./file-field.tsx";
import type { FormField } from "./form-fields.ts";
import { formatJsonDraft, parseJsonDraft } from "./json-draft.ts";
import { RecordSelect } from "./record-select.tsx";
import { useTexts } from "./texts.ts";

interface FieldProps {
  readonly field: FormField;
  /** Text after the help, such as the default. */
  readonly note?: string;
  readonly value: unknown;
  readonly error?: React.ReactNode;
  /** Called with the new value; undefined where the field is empty. */
  readonly onChange: (value: unknown) => void;
}

/** A form field; its schema and label decide which control it has. */
export function Field({ field, note, value, error, onChange }: FieldProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const { name, kind, help, isRequired, isNullable, options } = field;
  const description = [help && localize(help), note].filter(Boolean).join(" · ") || undefined;
  const common = {
    label: localize(field.title),
    description,
    error,
    required: isRequired,
    "data-field": name,
  } as const;
  const text = typeof value === "string" ? value : "";
  const handleType = ({ currentTarget }: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    onChange(currentTarget.value);
  switch (kind) {
    case "switch":
      return (
        <Switch
          {...common}
          required={false}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case "choice":
      return (
        <NativeSelect
          {...common}
          value={String(value ?? "")}
          onChange={({ currentTarget }) => onChange(toOptionValue(field, currentTarget.value))}
          data={[
            ...(isNullable || field.defaultValue === undefined ? [{ value: "", label: t("notSet") }] : []),
            ...options.map((option) => ({ value: option.text, label: localize(option.title) })),
          ]}
        />
      );
    case "choices":
      return (
        <Checkbox.Group {...common} value={toTags(value)} onChange={onChange}>
          <Group gap="md" mt={6}>
            {options.map((option) => (
              <Checkbox key={option.text} size="sm" value={option.text} label={localize(option.title)} />
            ))}
          </Group>
        </Checkbox.Group>
      );
    case "tags":
      return <TagsInput {...common} value={toTags(value)} onChange={onChange} placeholder={t("addTag")} />;
    case "number":
      return (
        <NumberInput
          {...common}
          {...toLimits(field)}
          clampBehavior="none"
          allowDecimal={!field.isWhole}
          value={typeof value === "number" ? value : ""}
          onChange={(next) => onChange(next === "" ? (isNullable ? null : undefined) : Number(next))}
        />
      );
    case "slider":
      return (
        <Input.Wrapper {...common} labelElement="div" mb="xs">
          <Slider
            {...toLimits(field)}
            step={field.isWhole ? 1 : 0.01}
            value={typeof value === "number" ? value : Number(field.defaultValue ?? 0)}
            onChange={onChange}
            thumbLabel={common.label}
          />
        </Input.Wrapper>
      );
    case "time":
      return (
        <TimeInput
          {...common}
          kind="moment"
          value={toLocalTime(text)}
          onChange={(at) => onChange(toInstant(at) ?? null)}
        />
      );
    case "textarea":
      return <Textarea {...common} autosize minRows={3} maxRows={14} value={text} onChange={handleType} />;
    case "markdown":
    case "code":
      return (
        <Editor
          {...common}
          isRequired={isRequired}
          language={kind === "markdown" ? "markdown" : "plain"}
          value={text}
          onChange={onChange}
        />
      );
    case "json":
      return <JsonField {...common} value={value} onChange={onChange} />;
    case "group":
      return <FieldGroup {...common} fields={field.fields} value={value} onChange={onChange} />;
    case "address":
      return <TextInput {...common} type="url" value={text} onChange={handleType} />;
    case "picture":
    case "file":
      return (
        <FileField
          {...common}
          isPicture={kind === "picture"}
          value={text}
          onChange={(url) => onChange(url === "" && isNullable ? null : url)}
        />
      );
    case "model":
    case "character":
    case "persona":
      return (
        <RecordSelect
          {...common}
          kind={kind}
          value={text}
          onChange={(id) => onChange(id === "" && isNullable ? null : id)}
        />
      );
    case "secret":
      return <PasswordInput {...common} autoComplete="new-password" value={text} onChange={handleType} />;
    case "color":
      return <ColorInput {...common} value={text} onChange={onChange} />;
    default:
      return <TextInput {...common} value={text} onChange={handleType} />;
  }
}

/** Returns the value of the selected option; without one, the value of an empty field. */
function toOptionValue({ options, isNullable }: FormField, text: string): unknown {
  const option = options.find((one) => one.text === text);
  return option ? option.value : isNullable ? null : undefined;
}

interface CommonProps {
  readonly label: string;
  readonly description: string | undefined;
  readonly error: React.ReactNode;
  readonly required: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** A JSON editor for values without a control. Typed text stays as typed, other values are formatted; an empty text means no value. */
function JsonField({ value, onChange, required, ...common }: CommonProps) {
  const [typedText, setTypedText] = useState<string>();
  const isTyped = typedText !== undefined && isDeepEqual(parseJsonDraft(typedText), value);
  return (
    <Editor
      {...common}
      isRequired={required}
      language="json"
      value={isTyped ? typedText : formatJsonDraft(value)}
      onChange={(text) => {
        setTypedText(text);
        onChange(parseJsonDraft(text));
      }}
    />
  );
}

interface FieldGroupProps extends CommonProps {
  readonly fields: readonly FormField[];
}

/** The fields of an object with known keys. */
function FieldGroup({ label, description, error, fields, value, onChange }: FieldGroupProps) {
  const values = toJsonObject(value);
  const change = ({ name, defaultValue }: FormField, next: unknown) => {
    const { [name]: _, ...rest } = values;
    const isOmitted = next === undefined || (next === "" && defaultValue === undefined);
    onChange(isOmitted ? rest : { ...rest, [name]: next });
  };
  return (
    <Fieldset legend={label} p="sm">
      <Input.Description mb="xs">{description}</Input.Description>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
        {fields.map((field) => (
          <Field
            key={field.name}
            field={{ ...field, isRequired: false }}
            value={values[field.name] ?? field.defaultValue}
            onChange={(next) => change(field, next)}
          />
        ))}
      </SimpleGrid>
      <Input.Error>{error}</Input.Error>
    </Fieldset>
  );
}

function toTags(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function toLimits({ minimum, maximum }: FormField): { readonly min?: number; readonly max?: number } {
  return { ...(minimum !== undefined && { min: minimum }), ...(maximum !== undefined && { max: maximum }) };
}
