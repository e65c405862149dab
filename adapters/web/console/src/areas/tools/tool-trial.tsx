import { Alert, Button, Code, Fieldset, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { findJsonDrafts } from "../../shared/forms/json-draft.ts";
import { SchemaFields } from "../../shared/forms/schema-form.tsx";
import { readSchema, toVisibleText } from "../../shared/forms/untrusted-schema.ts";
import { formatDuration } from "../../shared/i18n/format-duration.ts";
import { parseJsonObject } from "../../shared/json-object.ts";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { type ToolTrialResult, tools } from "./api.ts";
import { useTexts } from "./texts.ts";
import { type Draft, toBody } from "./tool-draft.ts";
import toolsCss from "./tools.module.css";

const MAX_TEXT_LENGTH = 20_000;

interface ToolTrialProps {
  /** Id of a stored tool, whose secrets replace masked values in the form; undefined for a new one. */
  readonly id: string | undefined;
  readonly draft: Draft;
  readonly isValid: boolean;
}

/** Calls the tool as drafted in the form, and shows request and response. */
export function ToolTrial({ id, draft, isValid }: ToolTrialProps) {
  const { t } = useTexts();
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  const [trial, setTrial] = useState<ToolTrialResult>();
  const { toHandler, isBusy, error } = useAction([]);
  const schema = readSchema(parseJsonObject(draft.parameters));
  const tryTool = toHandler(async () => {
    setTrial(undefined);
    const { parameters, implementation } = toBody(draft);
    const toolArguments = Object.entries(values).filter(([, value]) => value !== null && value !== "");
    const params = { parameters, implementation, arguments: Object.fromEntries(toolArguments) };
    setTrial(await tools.tryTool({ ...params, ...(id !== undefined && { tool_id: id }) }));
  });
  return (
    <Fieldset legend={t("tryTool")} className={toolsCss.toolTrial} data-testid="tool-trial">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t("tryToolHint")}
        </Text>
        <SchemaFields
          schema={schema}
          values={values}
          onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
        />
        <Button
          variant="light"
          style={{ alignSelf: "flex-start" }}
          loading={isBusy}
          disabled={!isValid || findJsonDrafts(values).length > 0}
          onClick={() => void tryTool()}
          data-testid="try-tool"
        >
          {t("tryTool")}
        </Button>
        <Failure error={error} />
        {trial && <TrialResult trial={trial} />}
      </Stack>
    </Fieldset>
  );
}

/** Request and response of a trial. They are untrusted: shown as plain text, nothing in them is loaded or linked. */
function TrialResult({ trial: { request, status, result, error, duration_ms } }: { readonly trial: ToolTrialResult }) {
  const { t, language } = useTexts();
  const requestLines = request && [
    `${request.method} ${request.url}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ...(request.body === null ? [] : ["", request.body]),
  ];
  return (
    <div role="status">
      {requestLines && (
        <>
          <Text size="sm" fw={600}>
            {t("sent")}
          </Text>
          <Code block data-testid="trial-request">
            {toVisibleText(requestLines.join("\n"), MAX_TEXT_LENGTH)}
          </Code>
        </>
      )}
      <Text size="sm" fw={600} mt="xs">
        {t("answered")} {status ?? ""} · {formatDuration(duration_ms, language)}
      </Text>
      {error ? (
        <Alert color="red" title={t("failed")} data-testid="trial-error">
          {toVisibleText(error.error, MAX_TEXT_LENGTH)}
        </Alert>
      ) : (
        <Code block data-testid="trial-result">
          {toVisibleText(result ?? "", MAX_TEXT_LENGTH) || "–"}
        </Code>
      )}
    </div>
  );
}
