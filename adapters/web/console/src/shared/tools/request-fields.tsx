import { Group, NativeSelect, NumberInput, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import { At } from "../ui/form.tsx";
import { LINES, type RequestDraft, valuesOf } from "./request-draft.ts";
import { useTexts } from "./texts.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const LABELS = {
  query: { label: "query", hint: "queryHint" },
  headers: { label: "headers", hint: "headersHint" },
  headers_env: { label: "headersEnv", hint: "headersEnvHint" },
} as const;

interface FieldsProps {
  readonly draft: RequestDraft;
  readonly put: (change: Partial<RequestDraft>) => void;
}

/** A text that is given as it is, with places for arguments. */
export function TextField({ text, put }: { readonly text: string; readonly put: (text: string) => void }) {
  const { t } = useTexts();
  return (
    <At name="implementation.result">
      <Textarea
        label={t("text")}
        description={t("urlHint")}
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        onChange={({ currentTarget }) => put(currentTarget.value)}
        data-testid="tool-text"
      />
    </At>
  );
}

/** What a request is made of, with places for arguments. */
export function RequestFields({ draft, put }: FieldsProps) {
  const { t } = useTexts();
  return (
    <>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <At name="implementation.method">
          <NativeSelect
            label={t("method")}
            value={draft.method}
            onChange={({ currentTarget }) => put({ method: currentTarget.value })}
            data={METHODS}
            w="7rem"
          />
        </At>
        <At name="implementation.url">
          <TextInput
            style={{ flex: 1 }}
            label={t("url")}
            description={t("urlHint")}
            inputWrapperOrder={["label", "input", "description"]}
            required
            placeholder="https://"
            value={draft.url}
            onChange={({ currentTarget }) => put({ url: currentTarget.value })}
            data-testid="tool-url"
          />
        </At>
      </Group>
      {LINES.map((name) => (
        <At key={name} name={`implementation.${name}`}>
          <Lines name={name} draft={draft} put={put} />
        </At>
      ))}
      {draft.method !== "GET" && (
        <At name="implementation.body">
          <Textarea
            label={t("body")}
            description={t("bodyHint")}
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            value={draft.body}
            onChange={({ currentTarget }) => put({ body: currentTarget.value })}
          />
        </At>
      )}
      <At name="implementation.response_path">
        <TextInput
          label={t("responsePath")}
          description={t("responsePathHint")}
          value={draft.response_path}
          onChange={({ currentTarget }) => put({ response_path: currentTarget.value })}
        />
      </At>
      <details>
        <summary>{t("more")}</summary>
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
          <At name="implementation.timeout_s">
            <NumberInput
              label={t("timeout")}
              min={1}
              max={60}
              value={draft.timeout_s}
              onChange={(value) => put({ timeout_s: Number(value) || 15 })}
            />
          </At>
          <At name="implementation.max_length">
            <NumberInput
              label={t("length")}
              min={1}
              max={100_000}
              value={draft.max_length}
              onChange={(value) => put({ max_length: Number(value) || 10_000 })}
            />
          </At>
        </SimpleGrid>
        <At name="implementation.error_message">
          <TextInput
            mt="sm"
            label={t("errorMessage")}
            value={draft.error_message}
            onChange={({ currentTarget }) => put({ error_message: currentTarget.value })}
          />
        </At>
      </details>
    </>
  );
}

interface LinesProps extends FieldsProps {
  readonly name: (typeof LINES)[number];
  readonly error?: React.ReactNode;
}

function Lines({ name, draft, put, error }: LinesProps) {
  const { t } = useTexts();
  const read = valuesOf(draft[name]);
  return (
    <Textarea
      label={t(LABELS[name].label)}
      description={t(LABELS[name].hint)}
      autosize
      minRows={1}
      maxRows={8}
      spellCheck={false}
      value={draft[name]}
      onChange={({ currentTarget }) => put({ [name]: currentTarget.value })}
      data-testid={`lines-${name}`}
      error={typeof read === "string" ? `${t("badLine")} ${read}` : error}
    />
  );
}
