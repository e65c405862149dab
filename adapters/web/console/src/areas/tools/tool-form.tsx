import { Button, Group, SegmentedControl, Stack } from "@mantine/core";
import { useJsonError } from "../../shared/forms/use-json-error.ts";
import { parseJsonObject } from "../../shared/json-object.ts";
import { hasValidLines } from "../../shared/tools/request-draft.ts";
import { FixedText, RequestFields } from "../../shared/tools/request-fields.tsx";
import { useTexts as useRequestTexts } from "../../shared/tools/texts.ts";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { DescriptionField } from "../../shared/ui/form/description-field.tsx";
import { Editor } from "../../shared/ui/form/editor.tsx";
import { CheckboxField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { type Tool, tools } from "./api.ts";
import { useTexts } from "./texts.ts";
import { toBody, toDraft } from "./tool-draft.ts";
import { ToolTrial } from "./tool-trial.tsx";

const QUERY_KEYS = [["tool"]] as const;

interface FormProps {
  /** Undefined for a new tool. */
  readonly tool: Tool | undefined;
  readonly onDone: () => void;
}

/** The form of a custom tool, with a trial of the draft. */
export function ToolForm({ tool, onDone }: FormProps) {
  const { t } = useTexts();
  const toJsonError = useJsonError();
  const request = useRequestTexts();
  const { props, draft, update, field, isValid, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    record: tool,
    toDraft,
    ...(tool && { read: () => tools.get(tool.id) }),
    change: ({ id }, draft, ifMatch) => tools.update(id, toBody(draft), ifMatch),
    create: (draft) => tools.create(toBody(draft)),
    isValid: (draft) => parseJsonObject(draft.parameters) !== undefined && hasValidLines(draft),
    onSaved: onDone,
  });
  return (
    <Form {...props}>
      <Stack gap="sm">
        <TextField
          label={t("name")}
          description={t("nameHint")}
          required
          maxLength={64}
          {...field("name")}
          testId="tool-name"
        />
        <DescriptionField
          {...field("description")}
          label={t("description")}
          hint={t("descriptionHint")}
          isRequired
          testId="tool-description"
        />
        <FormControl name="parameters">
          <Editor
            label={t("parameters")}
            isRequired
            language="json"
            value={draft.parameters}
            onChange={(parameters) => update({ parameters })}
            error={parseJsonObject(draft.parameters) ? undefined : (toJsonError(draft.parameters) ?? t("notJson"))}
          />
        </FormControl>
        <SegmentedControl
          aria-label={t("kind")}
          value={draft.kind}
          onChange={(kind) => update({ kind })}
          data={[
            { value: "http", label: request.t("kind_http") },
            { value: "static", label: request.t("kind_static") },
          ]}
        />
        {draft.kind === "http" ? (
          <RequestFields draft={draft} onChange={update} />
        ) : (
          <FixedText text={draft.result} onChange={(result) => update({ result })} />
        )}
        <CheckboxField label={t("confirm")} {...field("requires_confirm")} />
        <ToolTrial id={tool?.id} draft={draft} isValid={isValid} />
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={isBusy} disabled={!isValid} data-testid="save-tool">
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
