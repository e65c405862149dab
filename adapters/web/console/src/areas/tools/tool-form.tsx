import { Button, Checkbox, Group, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { isDeepEqual } from "../../resource/form/fields.ts";
import { useJsonError } from "../../shared/forms/use-json-error.ts";
import { hasValidLines } from "../../shared/tools/request-draft.ts";
import { FixedText, RequestFields } from "../../shared/tools/request-fields.tsx";
import { useTexts as useRequestTexts } from "../../shared/tools/texts.ts";
import { useAction } from "../../shared/ui/common.tsx";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { createComparison } from "../../shared/ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../../shared/ui/form/edit-conflict.tsx";
import { Editor } from "../../shared/ui/form/editor.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { DescriptionField } from "../../shared/ui/form/text-fields.tsx";
import { type Tool, tools } from "./api.ts";
import { useTexts } from "./texts.ts";
import { type Draft, isJsonObject, toBody, toDraft } from "./tool-draft.ts";
import { ToolTrial } from "./tool-trial.tsx";

const QUERY_KEYS = [["tool"]] as const;

interface FormProps {
  /** Absent: a new one. */
  readonly tool: Tool | undefined;
  /** Restarts the form with the stored tool. */
  readonly edit: (tool: Tool) => void;
  readonly onDone: () => void;
}

/** The form of a custom tool, with a trial of the draft. */
export function ToolForm({ tool, edit, onDone }: FormProps) {
  const { t } = useTexts();
  const fault = useJsonError();
  const request = useRequestTexts();
  const [initialDraft] = useState<Draft>(() => toDraft(tool));
  const [draft, setDraft] = useState(initialDraft);
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const update = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const isWhole = isJsonObject(draft.parameters) && hasValidLines(draft);
  const create = toHandler(async () => {
    await tools.create(toBody(draft));
    onDone();
  });
  const change = ({ id }: Tool, ifMatch: number | undefined) =>
    toHandler(async () => {
      await tools.update(id, toBody(draft), ifMatch);
      onDone();
    });
  const save = tool ? change(tool, tool.revision) : create;
  const meanwhile = tool && {
    id: tool.id,
    comparison: createComparison<Draft>(draft, async () => toDraft(await tools.get(tool.id)), update),
    onTakeTheirs: toHandler(async () => edit(await tools.get(tool.id))),
    onKeepMine: change(tool, getConflictRevision(error)),
    onSaveAsNew: create,
  };
  return (
    <Form
      isChanged={!isDeepEqual(draft, initialDraft)}
      error={error}
      onSubmit={() => isWhole && save()}
      conflict={meanwhile}
    >
      <Stack gap="sm">
        <FormControl name="name">
          <TextInput
            label={t("name")}
            description={t("nameHint")}
            required
            maxLength={64}
            value={draft.name}
            onChange={({ currentTarget }) => update({ name: currentTarget.value })}
            data-testid="tool-name"
          />
        </FormControl>
        <DescriptionField
          value={draft.description}
          onChange={(description) => update({ description })}
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
            error={isJsonObject(draft.parameters) ? undefined : (fault(draft.parameters) ?? t("notJson"))}
          />
        </FormControl>
        <SegmentedControl
          aria-label={t("kind")}
          value={draft.kind}
          onChange={(kind) => update({ kind: kind as Draft["kind"] })}
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
        <FormControl name="requires_confirm">
          <Checkbox
            label={t("confirm")}
            checked={draft.requires_confirm}
            onChange={({ currentTarget }) => update({ requires_confirm: currentTarget.checked })}
          />
        </FormControl>
        <ToolTrial id={tool?.id} draft={draft} isWhole={isWhole} />
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={isBusy} disabled={!isWhole} data-testid="save-tool">
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
