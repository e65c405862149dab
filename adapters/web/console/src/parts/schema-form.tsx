import { Button, NativeSelect, NumberInput, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n.ts";
import { Failure } from "./common.tsx";

interface Field {
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}
export interface FormSchema {
  readonly properties?: Readonly<Record<string, Field>>;
}

interface SchemaFormProps {
  readonly schema: FormSchema;
  readonly values: Readonly<Record<string, unknown>>;
  readonly save: (values: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** A form made from the server's own schema; what was changed is sent, nothing else. */
export function SchemaForm({ schema, values, save }: SchemaFormProps) {
  const { t } = useTexts();
  const fields = Object.entries(schema.properties ?? {});
  const [changed, setChanged] = useState<Readonly<Record<string, unknown>>>({});
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  if (fields.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t("noSettings")}
      </Text>
    );
  }
  const submit = async (event: React.FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await save(changed);
      setChanged({});
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const put = (key: string, value: unknown) => setChanged((before) => ({ ...before, [key]: value }));
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {fields.map(([key, field]) => (
          <FieldInput
            key={key}
            name={key}
            field={field}
            value={changed[key] ?? values[key]}
            put={(value) => put(key, value)}
          />
        ))}
        <Failure error={error} />
        <Button
          type="submit"
          size="compact-md"
          loading={isBusy}
          disabled={Object.keys(changed).length === 0}
          style={{ alignSelf: "flex-start" }}
        >
          {t("save")}
        </Button>
      </Stack>
    </form>
  );
}

interface FieldInputProps {
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
  readonly put: (value: unknown) => void;
}

function FieldInput({ name, field, value, put }: FieldInputProps) {
  const common = { label: name, description: field.description };
  if (field.type === "boolean") {
    return <Switch {...common} checked={value === true} onChange={({ currentTarget }) => put(currentTarget.checked)} />;
  }
  if (field.enum) {
    return (
      <NativeSelect
        {...common}
        value={String(value ?? "")}
        onChange={({ currentTarget }) => put(currentTarget.value)}
        data={field.enum.map(String)}
      />
    );
  }
  if (field.type === "number" || field.type === "integer") {
    const bounds = {
      ...(field.minimum !== undefined && { min: field.minimum }),
      ...(field.maximum !== undefined && { max: field.maximum }),
    };
    return (
      <NumberInput
        {...common}
        {...bounds}
        value={typeof value === "number" ? value : ""}
        onChange={(next) => put(Number(next))}
      />
    );
  }
  return (
    <TextInput {...common} value={String(value ?? "")} onChange={({ currentTarget }) => put(currentTarget.value)} />
  );
}
