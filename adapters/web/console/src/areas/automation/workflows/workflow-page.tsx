import { Button, Stack, Text, Textarea, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { type Clearable, omitEmpty } from "../../../shared/omit-empty.ts";
import { ToolsPicker } from "../../../shared/tools/tool-picker.tsx";
import { Loaded } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { showToast } from "../../../shared/ui/feedback/toasts.tsx";
import { ConversationField } from "../../../shared/ui/form/conversation-field.tsx";
import { DescriptionField } from "../../../shared/ui/form/description-field.tsx";
import { NumberField, SelectField, SwitchField, TextField } from "../../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../../shared/ui/form/use-record-form.ts";
import { toAddress } from "../../../shared/ui/page/address.ts";
import { Page } from "../../../shared/ui/page/page.tsx";
import { RequireChangeScope } from "../../../shared/ui/page/permissions.tsx";
import { useNavigateIfHere } from "../../../shared/ui/page/use-navigate-if-here.ts";
import { automation, QUERY_KEYS, type Workflow, type WorkflowConfig, type WorkflowDraft } from "../api.ts";
import automationCss from "../automation.module.css";
import { RunView } from "../runs/run-view.tsx";
import { ScheduleFields } from "../schedule-fields.tsx";
import { useTexts } from "../texts.ts";
import { StepList } from "./step-list.tsx";

const TARGET_TYPES = ["none", "session", "imA_group", "imA_private"] as const;

/** The page of one workflow: its steps, and a run with the input and output of each. */
export function WorkflowPage({ id }: { readonly id: string }) {
  const { t } = useTexts();
  const query = useQuery({ queryKey: ["workflow", "one", id], queryFn: () => automation.getWorkflow(id) });
  // The trial is stored here, so that it survives the refetch after each save.
  const [trial, setTrial] = useState<WorkflowTrial>({
    content: lastTrialInput?.id === id ? lastTrialInput.content : "",
    runId: undefined,
  });
  if (query.data === undefined) {
    return (
      <Page title={t("title")} back={{ to: "/automation/workflows", label: t("back") }} isWide>
        <Loaded query={query}>{() => null}</Loaded>
      </Page>
    );
  }
  return (
    <WorkflowEditor
      workflow={query.data}
      trial={trial}
      updateTrial={(patch) => setTrial((before) => ({ ...before, ...patch }))}
    />
  );
}

/** The input of the last trial of a new workflow, for the page that opens once it has an id. */
let lastTrialInput: { readonly id: string; readonly content: string } | undefined;

/** A new workflow, which is only stored when it is saved or run. */
export function NewWorkflowPage() {
  const [trial, setTrial] = useState<WorkflowTrial>({ content: "", runId: undefined });
  return (
    <WorkflowEditor
      workflow={undefined}
      trial={trial}
      updateTrial={(patch) => setTrial((before) => ({ ...before, ...patch }))}
    />
  );
}

/** The input of a trial run, and the run that shows its result. */
interface WorkflowTrial {
  readonly content: string;
  readonly runId: string | undefined;
}

interface WorkflowEditorProps {
  /** Undefined for a new workflow. */
  readonly workflow: Workflow | undefined;
  readonly trial: WorkflowTrial;
  readonly updateTrial: (patch: Partial<WorkflowTrial>) => void;
}

function WorkflowEditor({
  workflow,
  trial: { content, runId = workflow?.last_run?.run_id },
  updateTrial,
}: WorkflowEditorProps) {
  const { t } = useTexts();
  const formId = useId();
  const navigateIfHere = useNavigateIfHere();
  const toDraft = (stored: Workflow | undefined): WorkflowDraft => {
    const {
      name = t("newWorkflow"),
      description = t("newWorkflow"),
      enabled = true,
      trigger = "manual",
    } = stored ?? {};
    return { name, description, enabled, trigger, config: stored?.config ?? {}, steps: stored?.steps ?? [] };
  };
  const create = async (values: WorkflowDraft) => {
    const created = await automation.createWorkflow(values);
    lastTrialInput = { id: created.id, content };
    await navigateIfHere({ ...toAddress(`/automation/workflows/${created.id}`), ignoreBlocker: true });
    return created;
  };
  const { props, record, draft, update, isChanged, isBusy, restart, toHandler } = useRecordForm({
    queryKeys: QUERY_KEYS,
    record: workflow,
    toDraft,
    ...(workflow && { read: () => automation.getWorkflow(workflow.id) }),
    change: ({ id }, values, ifMatch) => automation.changeWorkflow(id, values, ifMatch),
    create,
    onSaved: (_, { name }) => showToast({ text: t("saved", { name }) }),
  });
  const showRun = (next: string) => updateTrial({ runId: next });
  /** Saves the workflow where necessary, and returns its id. */
  const saveChanges = async () => {
    if (!record) return (await create(draft)).id;
    if (isChanged) restart(await automation.changeWorkflow(record.id, draft, record.revision), draft);
    return record.id;
  };
  const saveAndRun = async () => {
    const workflowId = await saveChanges();
    showRun((await automation.runWorkflow(workflowId, { content })).run_id);
  };
  return (
    <Page
      title={draft.name}
      back={{ to: "/automation/workflows", label: t("back") }}
      isWide
      actions={
        <Button
          type="submit"
          form={formId}
          loading={isBusy}
          disabled={record !== undefined && !isChanged}
          data-testid="save-workflow"
        >
          {t("save")}
        </Button>
      }
    >
      <div className={automationCss.workflow}>
        <Form id={formId} {...props}>
          <FormErrors />
          <BasicFields draft={draft} onChange={update} />
          <StepList steps={draft.steps} onChange={(steps) => update({ steps })} />
          {draft.steps.length === 0 && <ToolLoopFields draft={draft} onChange={update} />}
          <TargetFields draft={draft} onChange={update} />
        </Form>
        <aside className={automationCss.workflowTry} aria-label={t("tryIt")}>
          <Title order={2} size="h4">
            {t("tryIt")}
          </Title>
          <Text size="sm" c="dimmed" mb="xs">
            {t("tryHint")}
          </Text>
          <Textarea
            autosize
            maxRows={6}
            label={t("tryContent")}
            value={content}
            onChange={({ currentTarget }) => updateTrial({ content: currentTarget.value })}
          />
          <RequireChangeScope>
            <Button
              mt="xs"
              mb="md"
              loading={isBusy}
              leftSection={<Icon name="play" size={16} />}
              onClick={toHandler(saveAndRun)}
              data-testid="try-workflow"
            >
              {t("saveAndRun")}
            </Button>
          </RequireChangeScope>
          {runId !== undefined && <RunView id={runId} onRerun={showRun} />}
        </aside>
      </div>
    </Page>
  );
}

interface SectionProps {
  readonly draft: WorkflowDraft;
  readonly onChange: (patch: Partial<WorkflowDraft>) => void;
}

function BasicFields({ draft, onChange }: SectionProps) {
  const { t } = useTexts();
  return (
    <Stack gap="sm">
      <TextField
        name="name"
        label={t("name")}
        maxLength={100}
        value={draft.name}
        onChange={(name) => onChange({ name })}
        testId="workflow-name"
      />
      <DescriptionField
        value={draft.description}
        onChange={(description) => onChange({ description })}
        label={t("description")}
        hint={t("descriptionHint")}
      />
      <ScheduleFields
        triggers={["manual", "cron", "interval"]}
        trigger={draft.trigger}
        config={draft.config}
        onChange={(trigger, config) =>
          onChange({ trigger, config: { ...draft.config, ...config, ...clearRemovedFields(draft.config, config) } })
        }
      />
      {draft.trigger !== "manual" && (
        <SwitchField
          name="enabled"
          label={t("enabled")}
          value={draft.enabled}
          onChange={(enabled) => onChange({ enabled })}
        />
      )}
    </Stack>
  );
}

/** Returns undefined for each removed field, so that merging removes it. */
function clearRemovedFields(before: object, after: object): object {
  const removedKeys = Object.keys(before).filter((key) => !(key in after));
  return Object.fromEntries(removedKeys.map((key) => [key, undefined]));
}

/** Settings of a workflow without steps: the tools that the AI may use, and its maximum rounds of tool calls. */
function ToolLoopFields({ draft: { config }, onChange }: SectionProps) {
  const { t } = useTexts();
  const set = (patch: Clearable<WorkflowConfig>) =>
    onChange({ config: omitEmpty<WorkflowConfig>({ ...config, ...patch }) });
  return (
    <Stack gap="sm" mt="lg">
      <FormControl name="config.tools">
        <ToolsPicker
          label={t("tools")}
          description={t("toolsHint")}
          value={config.tools ?? []}
          onChange={(tools) => set({ tools: tools.length === 0 ? undefined : tools })}
        />
      </FormControl>
      <NumberField
        name="config.max_iterations"
        label={t("rounds")}
        min={1}
        max={50}
        value={config.max_iterations ?? 20}
        onChange={(value) => set({ max_iterations: value || 20 })}
      />
    </Stack>
  );
}

function TargetFields({ draft, onChange }: SectionProps) {
  const { t } = useTexts();
  const { config } = draft;
  const set = (patch: Clearable<WorkflowConfig>) =>
    onChange({ config: omitEmpty<WorkflowConfig>({ ...config, ...patch }) });
  const type = config.target_type ?? "none";
  return (
    <Stack gap="sm" mt="lg">
      <SelectField
        name="config.target_type"
        label={t("target")}
        value={type}
        onChange={(value) => set({ target_type: value, target_id: "" })}
        data={TARGET_TYPES.map((value) => ({ value, label: t(`target_${value}`) }))}
      />
      {type === "session" && (
        <ConversationField
          name="config.target_id"
          value={config.target_id ?? ""}
          onChange={(target_id) => set({ target_id })}
        />
      )}
      {type !== "none" && type !== "session" && (
        <TextField
          name="config.target_id"
          label={t(type === "imA_group" ? "groupNumber" : "accountNumber")}
          value={config.target_id ?? ""}
          onChange={(target_id) => set({ target_id })}
        />
      )}
    </Stack>
  );
}
