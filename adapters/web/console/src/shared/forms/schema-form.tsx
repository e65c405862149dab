import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useLocalized } from "../i18n/use-localized.ts";
import { diffValues, isDeepEqual } from "../is-deep-equal.ts";
import { Form, FormControl, FormErrors } from "../ui/form/form.tsx";
import { useRecordForm } from "../ui/form/use-record-form.ts";
import { Field } from "./field.tsx";
import { type FormField, toFormFields } from "./form-fields.ts";
import { findJsonDrafts } from "./json-draft.ts";
import type { FormSchema } from "./schema.ts";
import { useTexts } from "./texts.ts";
import { useDraftError } from "./use-draft-error.ts";

type Values = Readonly<Record<string, unknown>>;

/** A record with settings. */
interface Configured {
  readonly id: string;
  readonly revision: number;
  readonly config: Values;
}

interface SchemaFormProps<Item extends Configured> {
  readonly schema: FormSchema;
  readonly record: Item;
  readonly read: () => Promise<Item>;
  /** Called with the changed values only; null resets one to its default. */
  readonly change: (changed: Values, ifMatch: number | undefined) => Promise<Item>;
}

interface SchemaFieldsProps {
  readonly schema: FormSchema;
  readonly values: Values;
  /** Called with null to reset a value to its default. */
  readonly onChange: (key: string, value: unknown) => void;
  /** Prefix of the field names in the request: `config.`. */
  readonly prefix?: string;
}

/** The fields of a form; names those with invalid JSON. */
export function SchemaFields({ schema, values, onChange, prefix = "" }: SchemaFieldsProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const findError = useDraftError();
  const fields = toFormFields(schema);
  const invalidNames = findJsonDrafts(Object.fromEntries(fields.map(({ name }) => [name, values[name]])));
  return (
    <>
      {fields.map((field) => (
        <FormControl key={field.name} name={`${prefix}${field.name}`} label={localize(field.title)}>
          <Field
            field={field}
            note={describeDefault(field, localize, t)}
            value={values[field.name] ?? field.defaultValue}
            error={findError(values[field.name])}
            onChange={(value) => onChange(field.name, value ?? null)}
          />
        </FormControl>
      ))}
      {invalidNames.length > 0 && (
        <Text size="sm" c="red" role="alert" data-testid="not-json">
          {t("fixJson")} {invalidNames.join(", ")}
        </Text>
      )}
    </>
  );
}

/** Describes the default of a field; `""` for none and for an empty one. */
function describeDefault(
  { kind, defaultValue, options }: FormField,
  localize: ReturnType<typeof useLocalized>,
  t: ReturnType<typeof useTexts>["t"],
): string {
  const isPlain = defaultValue === undefined || defaultValue === "" || JSON.stringify(defaultValue) === "[]";
  if (isPlain || kind === "group" || kind === "switch") return "";
  const option = options.find(({ value }) => value === defaultValue);
  const isList = Array.isArray(defaultValue) && defaultValue.every((one) => typeof one === "string");
  const text = isList
    ? defaultValue.join(", ")
    : typeof defaultValue === "string"
      ? defaultValue
      : JSON.stringify(defaultValue);
  return t("defaultIs", { value: option ? localize(option.title) : text });
}

/** A form for settings, generated from their schema. */
export function SchemaForm<Item extends Configured>({ schema, record: latest, read, change }: SchemaFormProps<Item>) {
  const { t } = useTexts();
  const [isSaved, setSaved] = useState(false);
  const form = useRecordForm<Values, Item>({
    record: latest,
    toDraft: (stored) => stored?.config ?? {},
    isPatch: true,
    read,
    change: (before, draft, ifMatch) => change(diffValues(draft, before.config), ifMatch),
    isValid: (draft) => findJsonDrafts(draft).length === 0,
    onSaved: () => setSaved(true),
  });
  const { props, record = latest, draft, update, isChanged, isValid, isBusy } = form;
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) {
    return (
      <Text size="xs" c="dimmed">
        {t("noSettings")}
      </Text>
    );
  }
  const nonDefaults = fields.filter(
    ([key, field]) => record.config[key] != null && !isDeepEqual(record.config[key], field.default),
  );
  const reset = form.toHandler(async () => {
    form.restart(record);
    if (nonDefaults.length === 0) return;
    form.restart(await change(Object.fromEntries(nonDefaults.map(([key]) => [key, null])), record.revision));
    setSaved(true);
  });
  return (
    <Form {...props}>
      <Stack gap="sm" maw="34rem">
        <SchemaFields
          schema={schema}
          values={draft}
          onChange={(key, value) => {
            setSaved(false);
            update({ [key]: value });
          }}
        />
        <FormErrors />
        {isSaved && (
          <Alert color="parley" py="xs" role="status">
            {t("savedSettings")}
          </Alert>
        )}
        <Group gap="xs">
          <Button type="submit" size="compact-md" loading={isBusy} disabled={!isChanged || !isValid}>
            {t("save")}
          </Button>
          {(nonDefaults.length > 0 || isChanged) && (
            <Button size="compact-md" variant="default" disabled={isBusy} onClick={reset}>
              {t("resetToDefaults")}
            </Button>
          )}
        </Group>
      </Stack>
    </Form>
  );
}
