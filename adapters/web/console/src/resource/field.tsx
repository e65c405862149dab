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
import { RecordChoice } from "../shared/forms/record-choice.tsx";
import { useLocal } from "../shared/i18n/local.ts";
import { Editor } from "../shared/ui/editor.tsx";
import { TimeInput } from "../shared/ui/time-input.tsx";
import { localTimeOf, momentOf } from "../shared/ui/written-time.ts";
import type { FormField } from "./fields.ts";
import { FileField } from "./file-field.tsx";
import { readJson, writtenJson } from "./json-draft.ts";
import { useTexts } from "./texts.ts";

interface FieldProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly error?: React.ReactNode;
  /** Undefined: nothing is said. */
  readonly put: (value: unknown) => void;
}

/** One field of a form, drawn as its schema and its label ask. */
export function Field({ field, value, error, put }: FieldProps) {
  const { t } = useTexts();
  const local = useLocal();
  const { name, kind, help, isRequired, isNullable, options } = field;
  const description = help && local(help);
  const common = { label: local(field.title), description, error, required: isRequired, "data-field": name } as const;
  const text = typeof value === "string" ? value : "";
  const typed = ({ currentTarget }: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    put(currentTarget.value);
  switch (kind) {
    case "switch":
      return (
        <Switch
          {...common}
          required={false}
          checked={value === true}
          onChange={({ currentTarget }) => put(currentTarget.checked)}
        />
      );
    case "choice":
      return (
        <NativeSelect
          {...common}
          value={text}
          onChange={({ currentTarget }) => put(currentTarget.value === "" && isNullable ? null : currentTarget.value)}
          data={[
            ...(isNullable || field.fallback === undefined ? [{ value: "", label: t("notSet") }] : []),
            ...options.map((option) => ({ value: option.value, label: local(option.title) })),
          ]}
        />
      );
    case "choices":
      return (
        <Checkbox.Group {...common} value={wordsOf(value)} onChange={put}>
          <Group gap="md" mt={6}>
            {options.map((option) => (
              <Checkbox key={option.value} size="sm" value={option.value} label={local(option.title)} />
            ))}
          </Group>
        </Checkbox.Group>
      );
    case "tags":
      return <TagsInput {...common} value={wordsOf(value)} onChange={put} placeholder={t("addTag")} />;
    case "number":
      return (
        <NumberInput
          {...common}
          {...limitsOf(field)}
          clampBehavior="none"
          allowDecimal={!field.isWhole}
          value={typeof value === "number" ? value : ""}
          onChange={(next) => put(next === "" ? (isNullable ? null : undefined) : Number(next))}
        />
      );
    case "slider":
      return (
        <Input.Wrapper {...common} labelElement="div" mb="xs">
          <Slider
            {...limitsOf(field)}
            step={field.isWhole ? 1 : 0.01}
            value={typeof value === "number" ? value : Number(field.fallback ?? 0)}
            onChange={put}
            thumbLabel={common.label}
          />
        </Input.Wrapper>
      );
    case "time":
      return <TimeInput {...common} kind="moment" value={localTimeOf(text)} put={(at) => put(momentOf(at) ?? null)} />;
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
          put={put}
        />
      );
    case "json":
      return (
        <Editor
          {...common}
          isRequired={isRequired}
          language="json"
          value={writtenJson(value)}
          put={(written) => put(readJson(written))}
        />
      );
    case "picture":
    case "file":
      return (
        <FileField
          {...common}
          isPicture={kind === "picture"}
          value={text}
          put={(url) => put(url === "" && isNullable ? null : url)}
        />
      );
    case "model":
    case "character":
      return (
        <RecordChoice {...common} kind={kind} value={text} put={(id) => put(id === "" && isNullable ? null : id)} />
      );
    case "secret":
      return <PasswordInput {...common} autoComplete="new-password" value={text} onChange={typed} />;
    case "color":
      return <ColorInput {...common} value={text} onChange={put} />;
    default:
      return <TextInput {...common} value={text} onChange={typed} />;
  }
}

function wordsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function limitsOf({ minimum, maximum }: FormField): { readonly min?: number; readonly max?: number } {
  return { ...(minimum !== undefined && { min: minimum }), ...(maximum !== undefined && { max: maximum }) };
}
