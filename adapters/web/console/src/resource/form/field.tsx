import {
  Checkbox,
  ColorInput,
  Group,
  Input,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Slider,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { formatJsonDraft, parseJsonDraft } from "../../shared/forms/json-draft.ts";
import { RecordSelect } from "../../shared/forms/record-select.tsx";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { Editor } from "../../shared/ui/form/editor.tsx";
import { TimeInput } from "../../shared/ui/form/time-input.tsx";
import { toInstant, toLocalTime } from "../../shared/ui/form/time-text.ts";
import { useTexts } from "../texts.ts";
import type { FormField } from "./fields.ts";
import { FileField } from "./file-field.tsx";

interface FieldProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly error?: React.ReactNode;
  /** Called with the new value; undefined where the field is empty. */
  readonly onChange: (value: unknown) => void;
}

/** One field of a form, drawn as its schema and its label ask. */
export function Field({ field, value, error, onChange }: FieldProps) {
  const { t } = useTexts();
  const local = useLocalized();
  const { name, kind, help, isRequired, isNullable, options } = field;
  const description = help && local(help);
  const common = { label: local(field.title), description, error, required: isRequired, "data-field": name } as const;
  const text = typeof value === "string" ? value : "";
  const typed = ({ currentTarget }: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
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
          value={text}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === "" && isNullable ? null : currentTarget.value)
          }
          data={[
            ...(isNullable || field.fallback === undefined ? [{ value: "", label: t("notSet") }] : []),
            ...options.map((option) => ({ value: option.value, label: local(option.title) })),
          ]}
        />
      );
    case "choices":
      return (
        <Checkbox.Group {...common} value={toTags(value)} onChange={onChange}>
          <Group gap="md" mt={6}>
            {options.map((option) => (
              <Checkbox key={option.value} size="sm" value={option.value} label={local(option.title)} />
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
            value={typeof value === "number" ? value : Number(field.fallback ?? 0)}
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
      return <Textarea {...common} autosize minRows={3} maxRows={14} value={text} onChange={typed} />;
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
      return (
        <Editor
          {...common}
          isRequired={isRequired}
          language="json"
          value={formatJsonDraft(value)}
          onChange={(written) => onChange(parseJsonDraft(written))}
        />
      );
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
      return (
        <RecordSelect
          {...common}
          kind={kind}
          value={text}
          onChange={(id) => onChange(id === "" && isNullable ? null : id)}
        />
      );
    case "secret":
      return <PasswordInput {...common} autoComplete="new-password" value={text} onChange={typed} />;
    case "color":
      return <ColorInput {...common} value={text} onChange={onChange} />;
    default:
      return <TextInput {...common} value={text} onChange={typed} />;
  }
}

function toTags(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function toLimits({ minimum, maximum }: FormField): { readonly min?: number; readonly max?: number } {
  return { ...(minimum !== undefined && { min: minimum }), ...(maximum !== undefined && { max: maximum }) };
}
