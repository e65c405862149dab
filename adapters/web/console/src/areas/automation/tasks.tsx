import { Button, Group, Stack, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { serviceNow } from "../../shared/api/service-clock.ts";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { Failure, Loaded, shortTimeOf, timeOf, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { ConversationField } from "../../shared/ui/conversation-field.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { LongField, SwitchField, TextField } from "../../shared/ui/fields.tsx";
import { Form, FormFailure } from "../../shared/ui/form.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { IconButton } from "../../shared/ui/icon-button.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { RecordRow, RecordTable } from "../../shared/ui/record-table.tsx";
import tableCss from "../../shared/ui/table.module.css";
import { automation, type Task, type TaskDraft } from "./api.ts";
import { CHANGED, PlanFields, PlanText, StatusBadge } from "./shared.tsx";
import { useTexts } from "./texts.ts";
import { Next } from "./workflows.tsx";

const LOOK_MS = 2_000;

interface TasksProps {
  readonly open: (runId: string) => void;
}

/** All that runs by itself in one list: the heartbeat, workflows, tasks. */
export function TasksTab({ open }: TasksProps) {
  const { t } = useTexts();
  const [edited, setEdited] = useState<Task | "new">();
  const found = useQuery({
    queryKey: ["task", "list"],
    queryFn: automation.tasks,
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === "running") ? LOOK_MS : false),
  });
  return (
    <>
      <Group justify="flex-end">
        <Changes>
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited("new")} data-testid="new-task">
            {t("newTask")}
          </Button>
        </Changes>
      </Group>
      <Loaded query={found}>
        {({ items }) => (
          <RecordTable columns={[t("name"), t("when"), t("next"), t("last")]} actions={t("actions")}>
            {items.map((task) => (
              <TaskRow key={task.id} task={task} open={open} edit={() => setEdited(task)} />
            ))}
          </RecordTable>
        )}
      </Loaded>
      <Dialog
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited === "new" || edited === undefined ? t("newTask") : edited.name}
        size="lg"
      >
        {edited !== undefined && (
          <TaskForm
            key={edited === "new" ? edited : edited.revision}
            {...(edited !== "new" && { task: edited })}
            edit={setEdited}
            done={() => setEdited(undefined)}
          />
        )}
      </Dialog>
    </>
  );
}

interface TaskRowProps extends TasksProps {
  readonly task: Task;
  readonly edit: () => void;
}

function TaskRow({ task, open, edit }: TaskRowProps) {
  const { t, language } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const { id, kind, name, enabled, trigger, config, status, next_run, last_run, skipped_count, editable } = task;
  const page = kind === "workflow" ? `/automation/workflows/${id}` : "/automation/heartbeat";
  const isOver = trigger === "date" && !enabled && Date.parse(config.run_at ?? "") < serviceNow();
  return (
    <RecordRow
      testId="task-row"
      cells={[
        <>
          {editable ? (
            name
          ) : (
            <Link to={page as string} className={tableCss.recordLink}>
              {kind === "heartbeat" ? t("kind_heartbeat") : name}
            </Link>
          )}
          <Text size="xs" c="dimmed">
            {t(`kind_${kind}`)}
          </Text>
          <Failure error={error} />
        </>,
        <PlanText key="plan" trigger={trigger} config={config} />,
        <Next key="next" at={next_run} skipped={skipped_count} />,
        <span key="last" className={tableCss.when} title={timeOf(last_run?.started_at, language)}>
          <StatusBadge status={status} /> {shortTimeOf(last_run?.started_at, language)}
        </span>,
      ]}
      actions={
        <>
          <Changes>
            <Button
              size="compact-sm"
              variant="subtle"
              loading={isBusy}
              onClick={tried(async () => open((await automation.runTask(id)).run_id))}
            >
              {t("run")}
            </Button>
          </Changes>
          {editable && (
            <>
              <Changes>
                <IconButton icon="edit" label={`${t("edit")}: ${name}`} onClick={edit} />
              </Changes>
              <ConfirmButton
                label={t("remove")}
                what={name}
                text={t("removeHint")}
                icon="trash"
                size="sm"
                run={tried(() => automation.removeTask(id), { throws: true })}
              />
            </>
          )}
          <Changes>
            <Switch
              size="sm"
              checked={enabled}
              disabled={isBusy || isOver}
              onChange={tried(() => automation.toggleTask(id, !enabled))}
              aria-label={`${t("enabled")}: ${name}`}
            />
          </Changes>
        </>
      }
    />
  );
}

const NEW: TaskDraft = {
  name: "",
  description: "",
  enabled: true,
  trigger: "cron",
  config: { cron: "0 8 * * *" },
  prompt: "",
  target_session_id: null,
};

interface TaskFormProps {
  readonly task?: Task;
  readonly edit: (task: Task) => void;
  readonly done: () => void;
}

function TaskForm({ task, edit, done }: TaskFormProps) {
  const { t } = useTexts();
  const [begun] = useState<TaskDraft>(() => (task ? draftOf(task) : NEW));
  const [draft, setDraft] = useState(begun);
  const { tried, isBusy, error } = useTried(CHANGED);
  const put = (patch: Partial<TaskDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const create = tried(async () => {
    await automation.createTask(draft);
    done();
  });
  const change = ({ id }: Task, ifMatch: number | undefined) =>
    tried(async () => {
      await automation.changeTask(id, draft, ifMatch);
      done();
    });
  const meanwhile = task && {
    id: task.id,
    compared: compared<TaskDraft>(draft, async () => draftOf(await automation.task(task.id)), put),
    theirs: tried(async () => edit(await automation.task(task.id))),
    mine: change(task, theirRevision(error)),
    anew: create,
  };
  return (
    <Form
      isChanged={!isSame(draft, begun)}
      error={error}
      submit={task ? change(task, task.revision) : create}
      meanwhile={meanwhile}
    >
      <Stack gap="sm">
        <TextField
          name="name"
          data-autofocus
          label={t("name")}
          maxLength={100}
          value={draft.name}
          put={(name) => put({ name })}
          testId="task-name"
        />
        <LongField
          name="prompt"
          minRows={3}
          label={t("askedWhat")}
          value={draft.prompt}
          put={(prompt) => put({ prompt })}
          testId="task-prompt"
        />
        <PlanFields
          triggers={["cron", "interval", "date"]}
          trigger={draft.trigger}
          config={draft.config}
          put={(trigger, config) => put({ trigger, config })}
        />
        <ConversationField
          name="target_session_id"
          value={draft.target_session_id ?? ""}
          put={(id) => put({ target_session_id: id || null })}
          hint={t("conversationHint")}
        />
        <SwitchField name="enabled" label={t("enabled")} value={draft.enabled} put={(enabled) => put({ enabled })} />
        <FormFailure />
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={isBusy} data-testid="save-task">
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function draftOf({ name, description, enabled, trigger, config, prompt, target_session_id }: Task): TaskDraft {
  return { name, description, enabled, trigger, config, prompt, target_session_id };
}
