import { Button, Checkbox, Group, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { useJsonFault } from "../../shared/forms/json-fault.ts";
import { hasGoodLines } from "../../shared/tools/request-draft.ts";
import { FixedText, RequestFields } from "../../shared/tools/request-fields.tsx";
import { useTexts as useRequestTexts } from "../../shared/tools/texts.ts";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { useTried } from "../../shared/ui/common.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { Editor } from "../../shared/ui/editor.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { DescriptionField } from "../../shared/ui/text-fields.tsx";
import { type Tool, tools } from "./api.ts";
import { bodyOf, type Draft, draftOf, isObject } from "./draft.ts";
import { useTexts } from "./texts.ts";
import { ToolTrial } from "./tool-trial.tsx";

const CHANGED = [["tool"]] as const;

interface FormProps {
  /** Absent: a new one. */
  readonly tool: Tool | undefined;
  /** Begins anew with what is stored by now. */
  readonly edit: (tool: Tool) => void;
  readonly done: () => void;
}

/** A tool of one's own, and beside it a trial of what stands there. */
export function ToolForm({ tool, edit, done }: FormProps) {
  const { t } = useTexts();
  const fault = useJsonFault();
  const request = useRequestTexts();
  const [begun] = useState<Draft>(() => draftOf(tool));
  const [draft, setDraft] = useState(begun);
  const { tried, isBusy, error } = useTried(CHANGED);
  const put = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const isWhole = isObject(draft.parameters) && hasGoodLines(draft);
  const create = tried(async () => {
    await tools.create(bodyOf(draft));
    done();
  });
  const change = ({ id }: Tool, ifMatch: number | undefined) =>
    tried(async () => {
      await tools.update(id, bodyOf(draft), ifMatch);
      done();
    });
  const save = tool ? change(tool, tool.revision) : create;
  const meanwhile = tool && {
    id: tool.id,
    compared: compared<Draft>(draft, async () => draftOf(await tools.get(tool.id)), put),
    theirs: tried(async () => edit(await tools.get(tool.id))),
    mine: change(tool, theirRevision(error)),
    anew: create,
  };
  return (
    <Form isChanged={!isSame(draft, begun)} error={error} submit={() => isWhole && save()} meanwhile={meanwhile}>
      <Stack gap="sm">
        <At name="name">
          <TextInput
            label={t("name")}
            description={t("nameHint")}
            required
            maxLength={64}
            value={draft.name}
            onChange={({ currentTarget }) => put({ name: currentTarget.value })}
            data-testid="tool-name"
          />
        </At>
        <DescriptionField
          value={draft.description}
          put={(description) => put({ description })}
          label={t("description")}
          hint={t("descriptionHint")}
          isRequired
          testId="tool-description"
        />
        <At name="parameters">
          <Editor
            label={t("parameters")}
            isRequired
            language="json"
            value={draft.parameters}
            put={(parameters) => put({ parameters })}
            error={isObject(draft.parameters) ? undefined : (fault(draft.parameters) ?? t("notJson"))}
          />
        </At>
        <SegmentedControl
          aria-label={t("kind")}
          value={draft.kind}
          onChange={(kind) => put({ kind: kind as Draft["kind"] })}
          data={[
            { value: "http", label: request.t("kind_http") },
            { value: "static", label: request.t("kind_static") },
          ]}
        />
        {draft.kind === "http" ? (
          <RequestFields draft={draft} put={put} />
        ) : (
          <FixedText text={draft.result} put={(result) => put({ result })} />
        )}
        <At name="requires_confirm">
          <Checkbox
            label={t("confirm")}
            checked={draft.requires_confirm}
            onChange={({ currentTarget }) => put({ requires_confirm: currentTarget.checked })}
          />
        </At>
        <ToolTrial id={tool?.id} draft={draft} isWhole={isWhole} />
        <FormFailure />
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
