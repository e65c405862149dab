import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { createComparison } from "../ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../ui/form/edit-conflict.tsx";
import { Form, FormControl, FormErrors } from "../ui/form/form.tsx";
import { parseJson } from "./json-text.ts";
import { type FieldSchema, type JsonInputs, SchemaField, useFieldLabel } from "./schema-field.tsx";
import { useTexts } from "./texts.ts";

export interface FormSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

interface SchemaFormProps {
  readonly schema: FormSchema;
  /** Stored values, with their revision. */
  readonly values: Values;
  readonly revision: number;
  /** Called with the changed values only; null resets one to its default. `ifMatch` is the revision the form was loaded with. */
  readonly save: (changed: Values, ifMatch: number | undefined) => Promise<unknown>;
  /** Fetches the stored values. */
  readonly read: () => Promise<Values>;
  /** Reloads the values shown in the form. */
  readonly reload: () => Promise<unknown>;
}

/** Settings as they are being changed. */
export interface SchemaValues {
  readonly fields: readonly (readonly [string, FieldSchema])[];
  readonly required: readonly string[];
  readonly values: Values;
  /** Values that differ from the stored ones; null resets one to its default. */
  readonly changed: Values;
  readonly isChanged: boolean;
  /** Paths of fields with invalid JSON. */
  readonly broken: readonly string[];
  readonly put: (key: string, value: unknown) => void;
  readonly json: JsonInputs;
  readonly clear: () => void;
}

/** `touched` is called at each change. */
export function useSchemaValues(schema: FormSchema, values: Values, onTouched: () => void = () => {}): SchemaValues {
  const [changed, setChanged] = useState<Values>({});
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  return {
    fields: Object.entries(schema.properties ?? {}),
    required: schema.required ?? [],
    values,
    changed,
    isChanged: Object.keys(changed).length > 0,
    broken: Object.keys(texts).filter((path) => parseJson(texts[path] ?? "") === undefined),
    put(key, value) {
      onTouched();
      setChanged((before) => ({ ...before, [key]: value === undefined ? null : value }));
    },
    json: {
      texts,
      write(path, text, take) {
        onTouched();
        setTexts((before) => ({ ...before, [path]: text }));
        const read = parseJson(text);
        if (read) take(read.value);
      },
    },
    clear() {
      setChanged({});
      setTexts({});
    },
  };
}

interface SchemaFieldsProps extends SchemaValues {
  /** Prefix of the field names in the request: `config.`. */
  readonly within?: string;
}

/** The fields of a form, with those of invalid JSON marked. */
export function SchemaFields({
  fields,
  required,
  values,
  changed,
  broken,
  put: onChange,
  json,
  within = "",
}: SchemaFieldsProps) {
  const { t } = useTexts();
  const labelOf = useFieldLabel();
  return (
    <>
      {fields.map(([key, field]) => (
        <FormControl key={key} name={`${within}${key}`} label={labelOf(key, field)}>
          <SchemaField
            name={key}
            path={key}
            field={field}
            isRequired={required.includes(key)}
            value={(key in changed ? changed[key] : values[key]) ?? field.default}
            onChange={(value) => onChange(key, value)}
            json={json}
          />
        </FormControl>
      ))}
      {broken.length > 0 && (
        <Text size="sm" c="red" role="alert" data-testid="not-json">
          {t("fixJson")} {broken.join(", ")}
        </Text>
      )}
    </>
  );
}

/** A form made from the service's own schema. */
export function SchemaForm({ schema, save, read, reload, ...latest }: SchemaFormProps) {
  const { t } = useTexts();
  // What others store is shown as soon as nothing is unsaved here.
  const [{ values, revision }, hold] = useState(latest);
  const [state, setState] = useState<"idle" | "busy" | "saved">("idle");
  const [error, setError] = useState<unknown>();
  const form = useSchemaValues(schema, values, () => setState("idle"));
  const { fields, changed, isChanged, broken, clear, put } = form;
  if (latest.revision !== revision && !isChanged && broken.length === 0) hold(latest);
  if (fields.length === 0) {
    return (
      <Text size="xs" c="dimmed">
        {t("noSettings")}
      </Text>
    );
  }
  const takeTheirs = async () => {
    clear();
    setError(undefined);
    await reload();
  };
  const send = async (what: Values, ifMatch: number | undefined) => {
    setState("busy");
    setError(undefined);
    try {
      await save(what, ifMatch);
      clear();
      setState("saved");
    } catch (thrown) {
      setError(thrown);
      setState("idle");
    }
  };
  const set = fields.filter(
    ([key, field]) => values[key] !== undefined && JSON.stringify(values[key]) !== JSON.stringify(field.default),
  );
  const toDefaults = () => {
    clear();
    if (set.length > 0) void send(Object.fromEntries(set.map(([key]) => [key, null])), revision);
  };
  const meanwhile = {
    id: "",
    comparison: createComparison<Values>(changed, read, (taken) => {
      for (const [key, value] of Object.entries(taken)) put(key, value);
    }),
    onTakeTheirs: takeTheirs,
    onKeepMine: () => send(changed, getConflictRevision(error)),
  };
  return (
    <Form
      error={error}
      onSubmit={() => broken.length === 0 && send(changed, revision)}
      isChanged={isChanged && state !== "busy"}
      conflict={meanwhile}
    >
      <Stack gap="sm" maw="34rem">
        <SchemaFields {...form} />
        <FormErrors />
        {state === "saved" && (
          <Alert color="parley" py="xs" role="status">
            {t("savedPlugin")}
          </Alert>
        )}
        <Group gap="xs">
          <Button type="submit" size="compact-md" loading={state === "busy"} disabled={!isChanged || broken.length > 0}>
            {t("save")}
          </Button>
          {(set.length > 0 || isChanged || broken.length > 0) && (
            <Button size="compact-md" variant="default" disabled={state === "busy"} onClick={toDefaults}>
              {t("toDefaults")}
            </Button>
          )}
        </Group>
      </Stack>
    </Form>
  );
}
