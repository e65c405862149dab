import {
  Checkbox,
  type CheckboxProps,
  NativeSelect,
  type NativeSelectProps,
  NumberInput,
  type NumberInputProps,
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
import { At } from "./form.tsx";

/** A field of a form: by what it is called in what is sent, with what the service has against it. */
interface FieldOf<Value> {
  readonly name: string;
  readonly value: Value;
  readonly put: (value: Value) => void;
  readonly testId?: string;
}

type Field<Value, Props> = FieldOf<Value> & Omit<Props, keyof FieldOf<Value> | "onChange" | "defaultValue">;

/** One line of words. */
export function TextField({ name, put, testId, ...rest }: Field<string, TextInputProps>) {
  return (
    <At name={name}>
      <TextInput {...rest} onChange={({ currentTarget }) => put(currentTarget.value)} data-testid={testId} />
    </At>
  );
}

/** As many lines as are written, up to some. */
export function LongField({ name, put, testId, ...rest }: Field<string, TextareaProps>) {
  return (
    <At name={name}>
      <Textarea
        autosize
        minRows={2}
        maxRows={12}
        {...rest}
        onChange={({ currentTarget }) => put(currentTarget.value)}
        data-testid={testId}
      />
    </At>
  );
}

/** One of a few. */
export function ChoiceField<Value extends string>({
  name,
  put,
  testId,
  ...rest
}: Field<Value, Omit<NativeSelectProps, "data">> & {
  readonly data: readonly (string | { readonly value: Value | ""; readonly label: string })[];
}) {
  const { data, ...own } = rest;
  return (
    <At name={name}>
      <NativeSelect
        {...own}
        data={[...data]}
        onChange={({ currentTarget }) => put(currentTarget.value as Value)}
        data-testid={testId}
      />
    </At>
  );
}

/** One of many, found by what is typed; null: none was chosen. */
export function PickField({ name, put, testId, ...rest }: Field<string | null, SelectProps>) {
  return (
    <At name={name}>
      <Select searchable clearable {...rest} onChange={put} data-testid={testId} />
    </At>
  );
}

/** A number, whole unless it has steps; undefined: none was written. */
export function NumberField({ name, value, put, testId, ...rest }: Field<number | undefined, NumberInputProps>) {
  return (
    <At name={name}>
      <NumberInput
        allowDecimal={rest.step !== undefined}
        {...rest}
        value={value ?? ""}
        onChange={(written) => put(written === "" ? undefined : Number(written))}
        data-testid={testId}
      />
    </At>
  );
}

/** Yes or no. */
export function SwitchField({ name, value, put, testId, ...rest }: Field<boolean, SwitchProps>) {
  return (
    <At name={name}>
      <Switch
        {...rest}
        checked={value}
        onChange={({ currentTarget }) => put(currentTarget.checked)}
        data-testid={testId}
      />
    </At>
  );
}

/** Yes or no, beside others of its kind. */
export function CheckField({ name, value, put, testId, ...rest }: Field<boolean, CheckboxProps>) {
  return (
    <At name={name}>
      <Checkbox
        {...rest}
        checked={value}
        onChange={({ currentTarget }) => put(currentTarget.checked)}
        data-testid={testId}
      />
    </At>
  );
}

/** Words, each for itself. */
export function WordsField({ name, value, put, testId, ...rest }: Field<readonly string[], TagsInputProps>) {
  return (
    <At name={name}>
      <TagsInput {...rest} value={[...value]} onChange={put} data-testid={testId} />
    </At>
  );
}
