import { Alert, Button, Code, Fieldset, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { readSchema, seenText } from "../../shared/forms/foreign-schema.ts";
import { jsonOf } from "../../shared/forms/json-text.ts";
import { SchemaField } from "../../shared/forms/schema-field.tsx";
import { durationOf } from "../../shared/i18n/durations.ts";
import { Failure, toldOf, useTried } from "../../shared/ui/common.tsx";
import { type Trial, tools } from "./api.ts";
import { bodyOf, type Draft, isObject } from "./draft.ts";
import { useTexts } from "./texts.ts";
import toolsCss from "./tools.module.css";

const MAX_SHOWN = 20_000;

interface ToolTrialProps {
  /** Of a tool that is there: what stands masked in the form is kept for it. */
  readonly id: string | undefined;
  readonly draft: Draft;
  readonly isWhole: boolean;
}

/** Calls the tool as it stands in the form, and shows what was sent and what came back. */
export function ToolTrial({ id, draft, isWhole }: ToolTrialProps) {
  const { t } = useTexts();
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [trial, setTrial] = useState<Trial>();
  const { tried, isBusy, error } = useTried([]);
  const schema = isObject(draft.parameters) ? readSchema(jsonOf(draft.parameters)?.value as object) : {};
  const attempt = tried(async () => {
    setTrial(undefined);
    const { parameters, implementation } = bodyOf(draft) as {
      readonly parameters: object;
      readonly implementation: object;
    };
    const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
    const asked = { parameters, implementation, arguments: Object.fromEntries(given) };
    setTrial(await tools.attempt({ ...asked, ...(id !== undefined && { tool_id: id }) }));
  });
  return (
    <Fieldset legend={t("attempt")} className={toolsCss.toolTrial} data-testid="tool-trial">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t("attemptHint")}
        </Text>
        {Object.entries(schema.properties ?? {}).map(([name, field]) => (
          <SchemaField
            key={name}
            name={name}
            path={name}
            field={field}
            isRequired={schema.required?.includes(name) ?? false}
            value={values[name] ?? field.default}
            put={(value) => setValues((before) => ({ ...before, [name]: value }))}
            json={{
              texts,
              write(path, next, take) {
                setTexts((before) => ({ ...before, [path]: next }));
                const read = jsonOf(next);
                if (read) take(read.value);
              },
            }}
          />
        ))}
        <Button
          variant="light"
          style={{ alignSelf: "flex-start" }}
          loading={isBusy}
          disabled={!isWhole}
          onClick={() => void attempt()}
          data-testid="try-tool"
        >
          {t("attempt")}
        </Button>
        <Failure error={error} />
        {trial && <Outcome trial={trial} />}
      </Stack>
    </Fieldset>
  );
}

/** Text of strangers: never markup, nothing in it is loaded or linked. */
function Outcome({ trial: { request, status, result, error, duration_ms } }: { readonly trial: Trial }) {
  const { t, language } = useTexts();
  const sent = request && [
    `${request.method} ${request.url}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ...(request.body === null ? [] : ["", request.body]),
  ];
  return (
    <div role="status">
      {sent && (
        <>
          <Text size="sm" fw={600}>
            {t("sent")}
          </Text>
          <Code block data-testid="trial-request">
            {seenText(sent.join("\n"), MAX_SHOWN)}
          </Code>
        </>
      )}
      <Text size="sm" fw={600} mt="xs">
        {t("answered")} {status ?? ""} · {durationOf(duration_ms, language)}
      </Text>
      {error ? (
        <Alert color="red" title={t("failed")} data-testid="trial-error">
          {seenText(toldOf(error), MAX_SHOWN)}
        </Alert>
      ) : (
        <Code block data-testid="trial-result">
          {seenText(result ?? "", MAX_SHOWN) || "–"}
        </Code>
      )}
    </div>
  );
}
