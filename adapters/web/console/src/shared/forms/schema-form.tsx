import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Failure } from "../ui/common.tsx";
import { jsonOf } from "./json-text.ts";
import { type FieldSchema, SchemaField, type WrittenJson } from "./schema-field.tsx";
import { useTexts } from "./texts.ts";

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
  const [written, setWritten] = useState<Readonly<Record<string, string>>>({});
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
      setWritten({});
      setState("saved");
    } catch (thrown) {
      setError(thrown);
      setState("idle");
    }
  };
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (broken.length === 0) void send(changed);
  };
  const put = (key: string, value: unknown) => {
    setState("idle");
    setChanged((before) => ({ ...before, [key]: value === undefined ? null : value }));
  };
  const write: WrittenJson["write"] = (path, text, take) => {
    setState("idle");
    setWritten((before) => ({ ...before, [path]: text }));
    const read = jsonOf(text);
    if (read) take(read.value);
  };
  const broken = Object.keys(written).filter((path) => jsonOf(written[path] ?? "") === undefined);
  const isChanged = Object.keys(changed).length > 0;
  const set = fields.filter(
    ([key, field]) => values[key] !== undefined && JSON.stringify(values[key]) !== JSON.stringify(field.default),
  );
  const toDefaults = () => {
    setChanged({});
    setWritten({});
    if (set.length > 0) void send(Object.fromEntries(set.map(([key]) => [key, null])));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw="34rem">
        {fields.map(([key, field]) => (
          <SchemaField
            key={key}
            name={key}
            path={key}
            field={field}
            isRequired={schema.required?.includes(key) ?? false}
            value={(key in changed ? changed[key] : values[key]) ?? field.default}
            put={(value) => put(key, value)}
            json={{ texts: written, write }}
          />
        ))}
        <Failure error={error} />
        {state === "saved" && (
          <Alert color="parley" py="xs" role="status">
            {t("savedPlugin")}
          </Alert>
        )}
        {broken.length > 0 && (
          <Text size="sm" c="red" role="alert" data-testid="not-json">
            {t("fixJson")} {broken.join(", ")}
          </Text>
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
    </form>
  );
}
