import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n.ts";
import { Failure } from "./common.tsx";
import { type FieldSchema, SchemaField } from "./schema-field.tsx";

export interface FormSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

interface SchemaFormProps {
  readonly schema: FormSchema;
  readonly values: Values;
  /** Gets only what was changed; null takes a value back to its default. */
  readonly save: (changed: Values) => Promise<unknown>;
}

/** A form made from the service's own schema. */
export function SchemaForm({ schema, values, save }: SchemaFormProps) {
  const { t } = useTexts();
  const fields = Object.entries(schema.properties ?? {});
  const [changed, setChanged] = useState<Values>({});
  const [state, setState] = useState<"idle" | "busy" | "saved">("idle");
  const [error, setError] = useState<unknown>();
  if (fields.length === 0) {
    return (
      <Text size="xs" c="dimmed">
        {t("noSettings")}
      </Text>
    );
  }
  const send = async (what: Values) => {
    setState("busy");
    setError(undefined);
    try {
      await save(what);
      setChanged({});
      setState("saved");
    } catch (thrown) {
      setError(thrown);
      setState("idle");
    }
  };
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    void send(changed);
  };
  const put = (key: string, value: unknown) => {
    setState("idle");
    setChanged((before) => ({ ...before, [key]: value === undefined ? null : value }));
  };
  const differs = fields.some(([key, field]) => JSON.stringify(values[key]) !== JSON.stringify(field.default));
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw="34rem">
        {fields.map(([key, field]) => (
          <SchemaField
            key={key}
            name={key}
            field={field}
            isRequired={schema.required?.includes(key) ?? false}
            value={key in changed ? changed[key] : values[key]}
            put={(value) => put(key, value)}
          />
        ))}
        <Failure error={error} />
        {state === "saved" && (
          <Alert color="parley" py="xs" role="status">
            {t("savedPlugin")}
          </Alert>
        )}
        <Group gap="xs">
          <Button
            type="submit"
            size="compact-md"
            loading={state === "busy"}
            disabled={Object.keys(changed).length === 0}
          >
            {t("save")}
          </Button>
          {differs && (
            <Button
              size="compact-md"
              variant="default"
              disabled={state === "busy"}
              onClick={() => void send(Object.fromEntries(fields.map(([key]) => [key, null])))}
            >
              {t("toDefaults")}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
