import { Button, Stack, Text, Textarea, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { ToolsPicker } from "../../shared/tools/tool-picker.tsx";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { Loaded, useTried } from "../../shared/ui/common.tsx";
import { ConversationField } from "../../shared/ui/conversation-field.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { ChoiceField, NumberField, SwitchField, TextField } from "../../shared/ui/fields.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { Held } from "../../shared/ui/held.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { DescriptionField } from "../../shared/ui/text-fields.tsx";
import { toast } from "../../shared/ui/toasts.tsx";
import { useLeadOn } from "../../shared/ui/use-lead-on.ts";
import { automation, type Workflow, type WorkflowDraft } from "./api.ts";
import automationCss from "./automation.module.css";
import { RunView } from "./run-view.tsx";
import { CHANGED, PlanFields, without } from "./shared.tsx";
import { Steps } from "./steps.tsx";
import { useTexts } from "./texts.ts";

const TARGETS = ["none", "session", "imA_group", "imA_private"] as const;

/** One workflow: its steps as a list, and beside it a run that shows what each step is given and gives. */
export function WorkflowPage({ id }: { readonly id: string }) {
  const { t } = useTexts();
  const found = useQuery({ queryKey: ["workflow", "one", id], queryFn: () => automation.workflow(id) });
  // What is tried beside stays when the record is read again, which it is as soon as it was saved.
  const [trial, setTrial] = useState<Trial>({ content: begun?.id === id ? begun.content : "", runId: undefined });
  if (found.data === undefined) {
    return (
      <Page title={t("title")} back={{ to: "/automation/workflows", label: t("back") }} isWide>
        <Loaded query={found}>{() => null}</Loaded>
      </Page>
    );
  }
  return (
    <Loaded query={found}>
      {(workflow) => (
        <Held latest={workflow} version={workflow.revision}>
          {(held, release) => (
            <Editor
              workflow={held}
              release={release}
              trial={trial}
              putTrial={(patch) => setTrial((before) => ({ ...before, ...patch }))}
            />
          )}
        </Held>
      )}
    </Loaded>
  );
}

/** The input of the last trial of a new workflow; it stays when the workflow gets its id. */
let begun: { readonly id: string; readonly content: string } | undefined;

/** One that is not stored until it is saved, or run: who leaves it leaves nothing. */
export function NewWorkflowPage() {
  const { t } = useTexts();
  const [trial, setTrial] = useState<Trial>({ content: "", runId: undefined });
  const [start] = useState<WorkflowDraft>({
    name: t("newWorkflow"),
    description: t("newWorkflow"),
    enabled: true,
    trigger: "manual",
    config: {},
    steps: [],
  });
  return (
    <Editor
      workflow={start}
      release={() => {}}
      trial={trial}
      putTrial={(patch) => setTrial((before) => ({ ...before, ...patch }))}
    />
  );
}

/** What the workflow is tried with, and the run that shows it. */
interface Trial {
  readonly content: string;
  readonly runId: string | undefined;
}

function draftOf({ name, description, enabled, trigger, config, steps }: WorkflowDraft): WorkflowDraft {
  return { name, description, enabled, trigger, config, steps };
}

/** The edited workflow; without an id it is not stored yet. */
type Edited = WorkflowDraft & Partial<Pick<Workflow, "id" | "revision" | "last_run">>;

interface EditorProps {
  readonly workflow: Edited;
  readonly release: () => void;
  readonly trial: Trial;
  readonly putTrial: (patch: Partial<Trial>) => void;
}

function Editor({ workflow, release, trial: { content, runId = workflow.last_run?.run_id }, putTrial }: EditorProps) {
  const { t } = useTexts();
  const { id } = workflow;
  const form = useId();
  const leadOn = useLeadOn();
  const [start] = useState(() => draftOf(workflow));
  const [draft, setDraft] = useState(start);
  const { tried, isBusy, error } = useTried(CHANGED);
  const put = (patch: Partial<WorkflowDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(start);
  const show = (next: string) => putTrial({ runId: next });
  const create = async () => {
    const made = await automation.createWorkflow(draft);
    begun = { id: made.id, content };
    await leadOn({ to: `/automation/workflows/${made.id}` as string, ignoreBlocker: true });
    return made.id;
  };
  /** Stores it where that is necessary, and gives its id. */
  const save = async () => {
    if (id === undefined) return create();
    if (!isChanged) return id;
    await automation.changeWorkflow(id, draft, workflow.revision);
    release();
    return id;
  };
  const submit = tried(async () => {
    await save();
    toast({ text: t("saved", { name: draft.name }) });
  });
  const meanwhile = id !== undefined && {
    id,
    compared: compared<WorkflowDraft>(draft, async () => draftOf(await automation.workflow(id)), put),
    theirs: tried(async () => release()),
    mine: tried(() => automation.changeWorkflow(id, draft, theirRevision(error)).then(release)),
    anew: tried(create),
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
        <Form id={form} isChanged={isChanged} error={error} submit={submit} {...(meanwhile && { meanwhile })}>
          <FormFailure />
          <Basics draft={draft} put={put} />
          <Steps steps={draft.steps} put={(steps) => put({ steps })} />
          {draft.steps.length === 0 && <LoopFields draft={draft} put={put} />}
          <TargetFields draft={draft} put={put} />
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
          <Changes>
            <Button
              mt="xs"
              mb="md"
              loading={isBusy}
              leftSection={<Icon name="play" size={16} />}
              onClick={tried(saveAndRun)}
              data-testid="try-workflow"
            >
              {t("saveAndRun")}
            </Button>
          </Changes>
          {runId !== undefined && <RunView id={runId} again={show} />}
        </aside>
      </div>
    </Page>
  );
}

interface PartProps {
  readonly draft: WorkflowDraft;
  readonly put: (patch: Partial<WorkflowDraft>) => void;
}

function Basics({ draft, put }: PartProps) {
  const { t } = useTexts();
  return (
    <Stack gap="sm">
      <TextField
        name="name"
        label={t("name")}
        maxLength={100}
        value={draft.name}
        put={(name) => put({ name })}
        testId="workflow-name"
      />
      <DescriptionField
        value={draft.description}
        put={(description) => put({ description })}
        label={t("description")}
        hint={t("descriptionHint")}
      />
      <PlanFields
        triggers={["manual", "cron", "interval"]}
        trigger={draft.trigger}
        config={draft.config}
        put={(trigger, config) =>
          put({ trigger, config: { ...draft.config, ...config, ...missing(draft.config, config) } })
        }
      />
      {draft.trigger !== "manual" && (
        <SwitchField name="enabled" label={t("enabled")} value={draft.enabled} put={(enabled) => put({ enabled })} />
      )}
    </Stack>
  );
}

/** Fields of the plan that were taken out, so that they do not stay. */
function missing(before: object, after: object): object {
  const gone = Object.keys(before).filter((key) => !(key in after));
  return Object.fromEntries(gone.map((key) => [key, undefined]));
}

/** Without steps: what the AI may use, and how often it may go on. */
function LoopFields({ draft: { config }, put }: PartProps) {
  const { t } = useTexts();
  const set = (patch: Partial<WorkflowDraft["config"]>) => put({ config: without({ ...config, ...patch }) });
  return (
    <Stack gap="sm" mt="lg">
      <At name="config.tools">
        <ToolsPicker
          label={t("tools")}
          description={t("toolsHint")}
          value={config.tools ?? []}
          put={(tools) => set({ tools: tools.length === 0 ? (undefined as never) : tools })}
        />
      </At>
      <NumberField
        name="config.max_iterations"
        label={t("rounds")}
        min={1}
        max={50}
        value={config.max_iterations ?? 20}
        put={(value) => set({ max_iterations: value || 20 })}
      />
    </Stack>
  );
}

function TargetFields({ draft, put }: PartProps) {
  const { t } = useTexts();
  const { config } = draft;
  const set = (patch: Partial<WorkflowDraft["config"]>) => put({ config: without({ ...config, ...patch }) });
  const type = config.target_type ?? "none";
  return (
    <Stack gap="sm" mt="lg">
      <ChoiceField
        name="config.target_type"
        label={t("target")}
        value={type}
        put={(value) => set({ target_type: value, target_id: "" })}
        data={TARGETS.map((value) => ({ value, label: t(`target_${value}`) }))}
      />
      {type === "session" && (
        <ConversationField
          name="config.target_id"
          value={config.target_id ?? ""}
          put={(target_id) => set({ target_id })}
        />
      )}
      {type !== "none" && type !== "session" && (
        <TextField
          name="config.target_id"
          label={t(type === "imA_group" ? "groupNumber" : "accountNumber")}
          value={config.target_id ?? ""}
          put={(target_id) => set({ target_id })}
        />
      )}
    </Stack>
  );
}
