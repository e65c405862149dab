import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { Editor } from "../../shared/ui/editor.tsx";
import { type Tool, tools } from "./api.ts";
import { bodyOf, type Draft, draftOf, isObject, valuesOf } from "./draft.ts";
import { useTexts } from "./texts.ts";
import { ToolTrial } from "./tool-trial.tsx";

const CHANGED = [["tool"]] as const;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

interface FormProps {
  /** Absent: a new one. */
  readonly tool: Tool | undefined;
  readonly done: () => void;
}

/** A tool of one's own, and beside it a trial of what stands there. */
export function ToolForm({ tool, done }: FormProps) {
  const { t } = useTexts();
  const [draft, setDraft] = useState<Draft>(() => draftOf(tool));
  const { tried, isBusy, error } = useTried(CHANGED);
  const put = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const isWhole =
    isObject(draft.parameters) &&
    [draft.headers, draft.headers_env].every((text) => typeof valuesOf(text) !== "string");
  const save = tried(async () => {
    await (tool ? tools.update(tool.id, bodyOf(draft)) : tools.create(bodyOf(draft)));
    done();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) void save();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t("name")}
          description={t("nameHint")}
          required
          maxLength={64}
          value={draft.name}
          onChange={({ currentTarget }) => put({ name: currentTarget.value })}
          data-testid="tool-name"
        />
        <Textarea
          label={t("description")}
          description={t("descriptionHint")}
          required
          autosize
          minRows={2}
          maxRows={8}
          value={draft.description}
          onChange={({ currentTarget }) => put({ description: currentTarget.value })}
          data-testid="tool-description"
        />
        <Editor
          label={t("parameters")}
          isRequired
          language="json"
          value={draft.parameters}
          put={(parameters) => put({ parameters })}
          error={isObject(draft.parameters) ? undefined : t("notJson")}
        />
        <SegmentedControl
          aria-label={t("kind")}
          value={draft.kind}
          onChange={(kind) => put({ kind: kind as Draft["kind"] })}
          data={[
            { value: "http", label: t("kind_http") },
            { value: "static", label: t("kind_static") },
          ]}
        />
        {draft.kind === "http" ? <RequestFields draft={draft} put={put} /> : <TextFields draft={draft} put={put} />}
        <Checkbox
          label={t("confirm")}
          checked={draft.requires_confirm}
          onChange={({ currentTarget }) => put({ requires_confirm: currentTarget.checked })}
        />
        <ToolTrial draft={draft} isWhole={isWhole} />
        <Failure error={error} />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy} disabled={!isWhole} data-testid="save-tool">
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly put: (change: Partial<Draft>) => void;
}

function TextFields({ draft, put }: FieldsProps) {
  const { t } = useTexts();
  return (
    <Textarea
      label={t("text")}
      description={t("urlHint")}
      autosize
      minRows={3}
      maxRows={12}
      value={draft.result}
      onChange={({ currentTarget }) => put({ result: currentTarget.value })}
      data-testid="tool-text"
    />
  );
}

function RequestFields({ draft, put }: FieldsProps) {
  const { t } = useTexts();
  return (
    <>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <NativeSelect
          label={t("method")}
          value={draft.method}
          onChange={({ currentTarget }) => put({ method: currentTarget.value })}
          data={METHODS}
          w="7rem"
        />
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
      </Group>
      <Lines name="headers" draft={draft} put={put} />
      <Lines name="headers_env" draft={draft} put={put} />
      {draft.method !== "GET" && (
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
      )}
      <TextInput
        label={t("responsePath")}
        description={t("responsePathHint")}
        value={draft.response_path}
        onChange={({ currentTarget }) => put({ response_path: currentTarget.value })}
      />
      <details>
        <summary>{t("more")}</summary>
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
          <NumberInput
            label={t("timeout")}
            min={1}
            max={60}
            value={draft.timeout_s}
            onChange={(value) => put({ timeout_s: Number(value) || 15 })}
          />
          <NumberInput
            label={t("length")}
            min={1}
            max={100_000}
            value={draft.max_length}
            onChange={(value) => put({ max_length: Number(value) || 10_000 })}
          />
        </SimpleGrid>
        <TextInput
          mt="sm"
          label={t("errorMessage")}
          value={draft.error_message}
          onChange={({ currentTarget }) => put({ error_message: currentTarget.value })}
        />
      </details>
    </>
  );
}

function Lines({ name, draft, put }: FieldsProps & { readonly name: "headers" | "headers_env" }) {
  const { t } = useTexts();
  const read = valuesOf(draft[name]);
  return (
    <Textarea
      label={t(name === "headers" ? "headers" : "headersEnv")}
      description={t(name === "headers" ? "headersHint" : "headersEnvHint")}
      autosize
      minRows={1}
      maxRows={8}
      spellCheck={false}
      value={draft[name]}
      onChange={({ currentTarget }) => put({ [name]: currentTarget.value })}
      error={typeof read === "string" && `${t("badLine")} ${read}`}
    />
  );
}
