import { Group, SimpleGrid } from "@mantine/core";
import { NumberField, SelectField, TextareaField, TextField } from "../ui/form/fields.tsx";
import { LINE_FIELDS, METHODS, parseLines, type RequestDraft } from "./request-draft.ts";
import { useTexts } from "./texts.ts";

const LABELS = {
  query: { label: "query", hint: "queryHint" },
  headers: { label: "headers", hint: "headersHint" },
  headers_env: { label: "headersEnv", hint: "headersEnvHint" },
} as const;

type TextFieldName = (typeof LINE_FIELDS)[number] | "url" | "body" | "response_path" | "error_message";

interface RequestFieldsProps {
  readonly draft: RequestDraft;
  readonly onChange: (change: Partial<RequestDraft>) => void;
}

/** A fixed text with placeholders for arguments. */
export function FixedText({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const { t } = useTexts();
  return (
    <TextareaField
      name="implementation.result"
      label={t("text")}
      description={t("urlHint")}
      minRows={3}
      value={text}
      onChange={onChange}
      testId="tool-text"
    />
  );
}

/** Fields of an HTTP request, with placeholders for arguments. */
export function RequestFields({ draft, onChange }: RequestFieldsProps) {
  const { t } = useTexts();
  const field = (name: TextFieldName) => ({
    name: `implementation.${name}`,
    value: draft[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  const badLine = (written: string) => {
    const { badLine: line } = parseLines(written);
    return line === undefined ? undefined : `${t("badLine")} ${line}`;
  };
  return (
    <>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <SelectField
          name="implementation.method"
          label={t("method")}
          data={METHODS}
          w="7rem"
          value={draft.method}
          onChange={(method) => onChange({ method })}
        />
        <TextField
          style={{ flex: 1 }}
          label={t("url")}
          description={t("urlHint")}
          inputWrapperOrder={["label", "input", "description"]}
          required
          placeholder="https://"
          {...field("url")}
          testId="tool-url"
        />
      </Group>
      {LINE_FIELDS.map((name) => (
        <TextareaField
          key={name}
          label={t(LABELS[name].label)}
          description={t(LABELS[name].hint)}
          minRows={1}
          maxRows={8}
          spellCheck={false}
          error={badLine(draft[name])}
          {...field(name)}
          testId={`lines-${name}`}
        />
      ))}
      {draft.method !== "GET" && (
        <TextareaField
          label={t("body")}
          description={t("bodyHint")}
          minRows={3}
          spellCheck={false}
          {...field("body")}
        />
      )}
      <TextField label={t("responsePath")} description={t("responsePathHint")} {...field("response_path")} />
      <details>
        <summary>{t("more")}</summary>
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
          <NumberField
            name="implementation.timeout_s"
            label={t("timeout")}
            min={1}
            max={60}
            value={draft.timeout_s}
            onChange={(seconds) => onChange({ timeout_s: seconds || 15 })}
          />
          <NumberField
            name="implementation.max_length"
            label={t("length")}
            min={1}
            max={100_000}
            value={draft.max_length}
            onChange={(most) => onChange({ max_length: most || 10_000 })}
          />
        </SimpleGrid>
        <TextField mt="sm" label={t("errorMessage")} {...field("error_message")} />
      </details>
    </>
  );
}
