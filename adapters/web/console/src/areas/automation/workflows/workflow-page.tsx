import { Button, Stack, Text, Textarea, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { ToolsPicker } from "../../../shared/tools/tool-picker.tsx";
import { Loaded, useAction } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { toast } from "../../../shared/ui/feedback/toasts.tsx";
import { createComparison } from "../../../shared/ui/form/conflict-differences.tsx";
import { ConversationField } from "../../../shared/ui/form/conversation-field.tsx";
import { DraftBoundary } from "../../../shared/ui/form/draft-boundary.tsx";
import { getConflictRevision } from "../../../shared/ui/form/edit-conflict.tsx";
import { NumberField, SelectField, SwitchField, TextField } from "../../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../../shared/ui/form/form.tsx";
import { DescriptionField } from "../../../shared/ui/form/text-fields.tsx";
import { Page } from "../../../shared/ui/page/page.tsx";
import { RequireChangeScope } from "../../../shared/ui/page/permissions.tsx";
import { useNavigateIfHere } from "../../../shared/ui/page/use-navigate-if-here.ts";
import { automation, type Workflow, type WorkflowDraft } from "../api.ts";
import automationCss from "../automation.module.css";
import { RunView } from "../runs/run-view.tsx";
import { omitEmpty, QUERY_KEYS, ScheduleFields } from "../schedule-fields.tsx";
import { useTexts } from "../texts.ts";
import { StepList } from "./step-list.tsx";

const TARGET_TYPES = ["none", "session", "imA_group", "imA_private"] as const;

/** One workflow: its steps, and beside them a run with the input and output of each. */
export function WorkflowPage({ id }: { readonly id: string }) {
  const { t } = useTexts();
  const query = useQuery({ queryKey: ["workflow", "one", id], queryFn: () => automation.workflow(id) });
  // What is tried beside stays when the record is read again, which it is as soon as it was saved.
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
    <Loaded query={query}>
      {(workflow) => (
        <DraftBoundary latest={workflow} version={workflow.revision}>
          {(initial, release) => (
            <WorkflowEditor
              workflow={initial}
              release={release}
              trial={trial}
              putTrial={(patch) => setTrial((before) => ({ ...before, ...patch }))}
            />
          )}
        </DraftBoundary>
      )}
    </Loaded>
  );
}

/** The input of the last trial of a new workflow; it stays when the workflow gets its id. */
let lastTrialInput: { readonly id: string; readonly content: string } | undefined;

/** A new workflow, which is only stored when it is saved or run. */
export function NewWorkflowPage() {
  const { t } = useTexts();
  const [trial, setTrial] = useState<WorkflowTrial>({ content: "", runId: undefined });
  const [start] = useState<WorkflowDraft>({
    name: t("newWorkflow"),
    description: t("newWorkflow"),
    enabled: true,
    trigger: "manual",
    config: {},
    steps: [],
  });
  return (
    <WorkflowEditor
      workflow={start}
      release={() => {}}
      trial={trial}
      putTrial={(patch) => setTrial((before) => ({ ...before, ...patch }))}
    />
  );
}

/** The input of a trial run, and the run that shows its result. */
interface WorkflowTrial {
  readonly content: string;
  readonly runId: string | undefined;
}

function toWorkflowDraft({ name, description, enabled, trigger, config, steps }: WorkflowDraft): WorkflowDraft {
  return { name, description, enabled, trigger, config, steps };
}

/** The edited workflow; without an id it is not stored yet. */
type EditedWorkflow = WorkflowDraft & Partial<Pick<Workflow, "id" | "revision" | "last_run">>;

interface WorkflowEditorProps {
  readonly workflow: EditedWorkflow;
  readonly release: () => void;
  readonly trial: WorkflowTrial;
  readonly putTrial: (patch: Partial<WorkflowTrial>) => void;
}

function WorkflowEditor({
  workflow,
  release,
  trial: { content, runId = workflow.last_run?.run_id },
  putTrial,
}: WorkflowEditorProps) {
  const { t } = useTexts();
  const { id } = workflow;
  const form = useId();
  const leadOn = useNavigateIfHere();
  const [start] = useState(() => toWorkflowDraft(workflow));
  const [draft, setDraft] = useState(start);
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const update = (patch: Partial<WorkflowDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(start);
  const show = (next: string) => putTrial({ runId: next });
  const create = async () => {
    const made = await automation.createWorkflow(draft);
    lastTrialInput = { id: made.id, content };
    await leadOn({ to: `/automation/workflows/${made.id}` as string, ignoreBlocker: true });
    return made.id;
  };
  /** Saves the workflow where necessary, and returns its id. */
  const save = async () => {
    if (id === undefined) return create();
    if (!isChanged) return id;
    await automation.changeWorkflow(id, draft, workflow.revision);
    release();
    return id;
  };
  const submit = toHandler(async () => {
    await save();
    toast({ text: t("saved", { name: draft.name }) });
  });
  const meanwhile = id !== undefined && {
    id,
    comparison: createComparison<WorkflowDraft>(
      draft,
      async () => toWorkflowDraft(await automation.workflow(id)),
      update,
    ),
    onTakeTheirs: toHandler(async () => release()),
    onKeepMine: toHandler(() => automation.changeWorkflow(id, draft, getConflictRevision(error)).then(release)),
    onSaveAsNew: toHandler(create),
  };
  const saveAndRun = async () => {
    const stored = await save();
    show((await automation.execute(stored, { content })).run_id);
  };
  return (
    <Page
      title={draft.name}
      back={{ to: "/automation/workflows", label: t("back") }}
      isWide
      actions={
        <Button
          type="submit"
          form={form}
          loading={isBusy}
          disabled={id !== undefined && !isChanged}
          data-testid="save-workflow"
        >
          {t("save")}
        </Button>
      }
    >
      <div className={automationCss.workflow}>
        <Form
          id={form}
          isChanged={isChanged}
          error={error}
          onSubmit={submit}
          {...(meanwhile && { conflict: meanwhile })}
        >
          <FormErrors />
          <BasicFields draft={draft} onChange={update} />
          <StepList steps={draft.steps} onChange={(steps) => update({ steps })} />
          {draft.steps.length === 0 && <LoopFields draft={draft} onChange={update} />}
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
            onChange={({ currentTarget }) => putTrial({ content: currentTarget.value })}
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
          {runId !== undefined && <RunView id={runId} again={show} />}
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
          onChange({ trigger, config: { ...draft.config, ...config, ...removedFields(draft.config, config) } })
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
function removedFields(before: object, after: object): object {
  const removedKeys = Object.keys(before).filter((key) => !(key in after));
  return Object.fromEntries(removedKeys.map((key) => [key, undefined]));
}

/** Settings of a workflow without steps: the tools of the AI, and its limit of rounds. */
function LoopFields({ draft: { config }, onChange }: SectionProps) {
  const { t } = useTexts();
  const set = (patch: Partial<WorkflowDraft["config"]>) => onChange({ config: omitEmpty({ ...config, ...patch }) });
  return (
    <Stack gap="sm" mt="lg">
      <FormControl name="config.tools">
        <ToolsPicker
          label={t("tools")}
          description={t("toolsHint")}
          value={config.tools ?? []}
          onChange={(tools) => set({ tools: tools.length === 0 ? (undefined as never) : tools })}
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
  const set = (patch: Partial<WorkflowDraft["config"]>) => onChange({ config: omitEmpty({ ...config, ...patch }) });
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
