import { Button, Code, Fieldset, Group, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { findJsonDrafts } from "../../../shared/forms/json-draft.ts";
import { stringifyJson } from "../../../shared/forms/json-text.ts";
import type { FormSchema } from "../../../shared/forms/schema.ts";
import { SchemaFields } from "../../../shared/forms/schema-form.tsx";
import { readSchema, toVisibleText } from "../../../shared/forms/untrusted-schema.ts";
import { formatDuration } from "../../../shared/i18n/format-duration.ts";
import { parseJsonObject } from "../../../shared/json-object.ts";
import textCss from "../../../shared/styles/text.module.css";
import { Failure, useAction } from "../../../shared/ui/common.tsx";
import { type McpTool, mcp, type ToolAnswer } from "../api.ts";
import { useTexts } from "../texts.ts";

const QUERY_KEYS = [["mcp_log"]] as const;
const MAX_RESULT_LENGTH = 60_000;

type Values = Readonly<Record<string, unknown>>;

interface TryToolProps {
  readonly serverId: string;
  readonly tool: McpTool;
}

/** Calls a tool manually, with a form if its schema allows one, else with JSON. */
export function TryTool({ serverId, tool }: TryToolProps) {
  const { t } = useTexts();
  const { name, risk, enabled, parameters } = tool;
  const schema = readSchema(parameters);
  const fields = Object.entries(schema.properties ?? {});
  const hasForm = fields.some(([, { type }]) => type !== "json");
  const [isJson, setJson] = useState(!hasForm && fields.length > 0);
  const [values, setValues] = useState<Values>({});
  const [text, setText] = useState("{}");
  const [answer, setAnswer] = useState<ToolAnswer>();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const toolArguments = isJson ? parseJsonObject(text.trim() || "{}") : toArguments(schema, values);
  const isBroken = !isJson && findJsonDrafts(values).length > 0;
  const call = toHandler(async () => {
    setAnswer(undefined);
    if (toolArguments) setAnswer(await mcp.call(serverId, name, toolArguments, risk !== "read"));
  });
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (toolArguments && !isBroken) void call();
  };
  const switchInput = (next: string) => {
    setJson(next === "json");
    if (next === "json") setText(stringifyJson(toArguments(schema, values)));
  };
  return (
    <Fieldset legend={t("tryCall")} data-testid="try-tool">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {fields.length > 0 && hasForm && (
            <SegmentedControl
              size="xs"
              style={{ alignSelf: "flex-start" }}
              value={isJson ? "json" : "form"}
              onChange={switchInput}
              data={[
                { value: "form", label: t("callAsForm") },
                { value: "json", label: t("callAsJson") },
              ]}
            />
          )}
          {isJson ? (
            <Textarea
              label={t("toolArguments")}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              error={toolArguments === undefined && t("notObject")}
              autosize
              minRows={3}
              maxRows={14}
              spellCheck={false}
              data-testid="call-json"
            />
          ) : (
            <SchemaFields
              schema={schema}
              values={values}
              onChange={(key, value) => setValues((before) => ({ ...before, [key]: value }))}
            />
          )}
          <Group gap="sm">
            <Button
              type="submit"
              size="compact-md"
              color={risk === "read" ? "parley" : "red"}
              loading={isBusy}
              disabled={!enabled || toolArguments === undefined || isBroken}
              data-testid="call-tool"
            >
              {t(risk === "read" ? "callTool" : "callAnyway")}
            </Button>
            {!enabled && (
              <Text size="sm" c="dimmed">
                {t("toolDenied")}
              </Text>
            )}
          </Group>
          <Failure error={error} />
          {answer && <ToolResult answer={answer} />}
        </Stack>
      </form>
    </Fieldset>
  );
}

/** The result of a call. It is untrusted: shown as plain text, nothing in it is loaded or linked. */
function ToolResult({ answer: { result, duration_ms } }: { readonly answer: ToolAnswer }) {
  const { t, language } = useTexts();
  const text = toVisibleText(typeof result === "string" ? result : stringifyJson(result), MAX_RESULT_LENGTH);
  return (
    <div role="status">
      <Text size="sm" c="dimmed" mb={4}>
        {t("callAnswered")} {formatDuration(duration_ms, language)}
      </Text>
      <Code block className={textCss.answer} data-testid="call-result">
        {text || t("emptyResult")}
      </Code>
    </div>
  );
}

/** Returns the filled-in arguments; empty ones only where they are required. */
function toArguments({ properties = {}, required = [] }: FormSchema, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => value !== null && key in properties && (value !== "" || required.includes(key)),
    ),
  );
}
