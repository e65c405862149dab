import {
  Checkbox,
  type CheckboxProps,
  NativeSelect,
  type NativeSelectProps,
  NumberInput,
  type NumberInputProps,
  PasswordInput,
  type PasswordInputProps,
  Select,
  type SelectProps,
  Switch,
  type SwitchProps,
  TagsInput,
  type TagsInputProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from "@mantine/core";
import { FormControl } from "./form.tsx";
import { toOption } from "./to-option.ts";

/** Props of a form field; `name` is its name in the request. */
interface FieldProps<Value> {
  readonly name: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly testId?: string;
}

type InputProps<Value, Props> = FieldProps<Value> & Omit<Props, keyof FieldProps<Value> | "onChange" | "defaultValue">;

export function TextField({ name, onChange, testId, ...rest }: InputProps<string, TextInputProps>) {
  return (
    <FormControl name={name}>
      <TextInput {...rest} onChange={({ currentTarget }) => onChange(currentTarget.value)} data-testid={testId} />
    </FormControl>
  );
}

/** A field for a secret, hidden while it is typed. */
export function PasswordField({ name, onChange, testId, ...rest }: InputProps<string, PasswordInputProps>) {
  return (
    <FormControl name={name}>
      <PasswordInput
        autoComplete="new-password"
        {...rest}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        data-testid={testId}
      />
    </FormControl>
  );
}

/** A text field that grows with its lines. */
export function TextareaField({ name, onChange, testId, ...rest }: InputProps<string, TextareaProps>) {
  return (
    <FormControl name={name}>
      <Textarea
        autosize
        minRows={2}
        maxRows={12}
        {...rest}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        data-testid={testId}
      />
    </FormControl>
  );
}

export function SelectField<Value extends string>({
  name,
  onChange,
  testId,
  ...rest
}: InputProps<Value, Omit<NativeSelectProps, "data">> & {
  readonly data: readonly (Value | { readonly value: Value; readonly label: string })[];
}) {
  const { data, ...own } = rest;
  const options = data.map((one) => (typeof one === "string" ? one : one.value));
  return (
    <FormControl name={name}>
      <NativeSelect
        {...own}
        data={[...data]}
        onChange={({ currentTarget }) => onChange(toOption(options, currentTarget.value))}
        data-testid={testId}
      />
    </FormControl>
  );
}

/** A searchable select; null where nothing is selected. */
export function ComboboxField({ name, onChange, testId, ...rest }: InputProps<string | null, SelectProps>) {
  return (
    <FormControl name={name}>
      <Select searchable clearable {...rest} onChange={onChange} data-testid={testId} />
    </FormControl>
  );
}

/** A number field: whole numbers unless it has steps; undefined while it is empty. */
export function NumberField({
  name,
  value,
  onChange,
  testId,
  ...rest
}: InputProps<number | undefined, NumberInputProps>) {
  return (
    <FormControl name={name}>
      <NumberInput
        allowDecimal={rest.step !== undefined}
        {...rest}
        value={value ?? ""}
        onChange={(written) => onChange(written === "" ? undefined : Number(written))}
        data-testid={testId}
      />
    </FormControl>
  );
}

export function SwitchField({ name, value, onChange, testId, ...rest }: InputProps<boolean, SwitchProps>) {
  return (
    <FormControl name={name}>
      <Switch
        {...rest}
        checked={value}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        data-testid={testId}
      />
    </FormControl>
  );
}

export function CheckboxField({ name, value, onChange, testId, ...rest }: InputProps<boolean, CheckboxProps>) {
  return (
    <FormControl name={name}>
      <Checkbox
        {...rest}
        checked={value}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        data-testid={testId}
      />
    </FormControl>
  );
}

export function TagsField({ name, value, onChange, testId, ...rest }: InputProps<readonly string[], TagsInputProps>) {
  return (
    <FormControl name={name}>
      <TagsInput {...rest} value={[...value]} onChange={onChange} data-testid={testId} />
    </FormControl>
  );
}
