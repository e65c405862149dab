import { Button, Group, Stack, Switch, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { getServiceTime } from "../../shared/api/service-clock.ts";
import { Failure, formatShortTime, formatTime, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { IconButton } from "../../shared/ui/element/icon-button.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { ConversationField } from "../../shared/ui/form/conversation-field.tsx";
import { SwitchField, TextareaField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { toAddress } from "../../shared/ui/page/address.ts";
import { Dialog } from "../../shared/ui/page/page.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import tableCss from "../../shared/ui/table/table.module.css";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { automation, QUERY_KEYS, type Task, type TaskDraft } from "./api.ts";
import { RunStatusBadge } from "./runs/status-badges.tsx";
import { ScheduleFields, ScheduleText } from "./schedule-fields.tsx";
import { useTexts } from "./texts.ts";
import { NextRun } from "./workflows/workflow-list.tsx";

const POLL_MS = 2_000;

interface TaskListProps {
  readonly openRun: (runId: string) => void;
}

/** The list of everything that is scheduled: the heartbeat, workflows and tasks. */
export function TaskList({ openRun }: TaskListProps) {
  const { t } = useTexts();
  const [edited, setEdited] = useState<Task | "new">();
  const query = usePagedList({
    queryKey: ["task", "list"],
    read: (page) => automation.listTasks(page),
    getId: ({ id }) => id,
    refetchMs: (items) => (items.some(({ status }) => status === "running") ? POLL_MS : false),
  });
  return (
    <>
      <Group justify="flex-end">
        <RequireChangeScope>
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited("new")} data-testid="new-task">
            {t("newTask")}
          </Button>
        </RequireChangeScope>
      </Group>
      <RecordList
        query={query}
        getId={({ id }) => id}
        columns={[t("name"), t("when"), t("next"), t("last")]}
        actions={t("actions")}
        isEndless
        row={(task) => <TaskRow task={task} openRun={openRun} edit={() => setEdited(task)} />}
      />
      <Dialog
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited === "new" || edited === undefined ? t("newTask") : edited.name}
        size="lg"
      >
        {edited !== undefined && (
          <TaskForm task={edited === "new" ? undefined : edited} onDone={() => setEdited(undefined)} />
        )}
      </Dialog>
    </>
  );
}

interface TaskRowProps extends TaskListProps {
  readonly task: Task;
  readonly edit: () => void;
}

function TaskRow({ task, openRun, edit }: TaskRowProps) {
  const { t, language } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const { id, kind, name, enabled, trigger, config, status, next_run, last_run, skipped_count, editable } = task;
  const page = kind === "workflow" ? `/automation/workflows/${id}` : "/automation/heartbeat";
  const isPast = trigger === "date" && !enabled && Date.parse(config.run_at ?? "") < getServiceTime();
  return (
    <RecordRow
      testId="task-row"
      cells={[
        <>
          {editable ? (
            name
          ) : (
            <Link {...toAddress(page)} className={tableCss.recordLink}>
              {kind === "heartbeat" ? t("kind_heartbeat") : name}
            </Link>
          )}
          <Text size="xs" c="dimmed">
            {t(`kind_${kind}`)}
          </Text>
          <Failure error={error} />
        </>,
        <ScheduleText key="plan" trigger={trigger} config={config} />,
        <NextRun key="next" at={next_run} skippedCount={skipped_count} />,
        <span key="last" className={tableCss.when} title={formatTime(last_run?.started_at, language)}>
          <RunStatusBadge status={status} /> {formatShortTime(last_run?.started_at, language)}
        </span>,
      ]}
      actions={
        <>
          <RequireChangeScope>
            <Button
              size="compact-sm"
              variant="subtle"
              loading={isBusy}
              onClick={toHandler(async () => openRun((await automation.runTask(id)).run_id))}
            >
              {t("run")}
            </Button>
          </RequireChangeScope>
          {editable && (
            <>
              <RequireChangeScope>
                <IconButton icon="edit" label={`${t("edit")}: ${name}`} onClick={edit} />
              </RequireChangeScope>
              <ConfirmButton
                label={t("remove")}
                what={name}
                text={t("removeHint")}
                icon="trash"
                size="sm"
                run={toHandler(() => automation.removeTask(id), { throws: true })}
              />
            </>
          )}
          <RequireChangeScope>
            <Switch
              size="sm"
              checked={enabled}
              disabled={isBusy || isPast}
              onChange={toHandler(() => automation.setTaskEnabled(id, !enabled))}
              aria-label={`${t("enabled")}: ${name}`}
            />
          </RequireChangeScope>
        </>
      }
    />
  );
}

const NEW_TASK: TaskDraft = {
  name: "",
  description: "",
  enabled: true,
  trigger: "cron",
  config: { cron: "0 8 * * *" },
  prompt: "",
  target_session_id: null,
};

interface TaskFormProps {
  readonly task: Task | undefined;
  readonly onDone: () => void;
}

function TaskForm({ task, onDone }: TaskFormProps) {
  const { t } = useTexts();
  const { props, draft, update, field, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    record: task,
    toDraft: toTaskDraft,
    ...(task && { read: () => automation.getTask(task.id) }),
    change: ({ id }, now, ifMatch) => automation.changeTask(id, now, ifMatch),
    create: automation.createTask,
    onSaved: onDone,
  });
  const target = field("target_session_id");
  return (
    <Form {...props}>
      <Stack gap="sm">
        <TextField data-autofocus label={t("name")} maxLength={100} {...field("name")} testId="task-name" />
        <TextareaField minRows={3} label={t("prompt")} {...field("prompt")} testId="task-prompt" />
        <ScheduleFields
          triggers={["cron", "interval", "date"]}
          trigger={draft.trigger}
          config={draft.config}
          onChange={(trigger, config) => update({ trigger, config })}
        />
        <ConversationField
          {...target}
          value={target.value ?? ""}
          onChange={(id) => target.onChange(id || null)}
          hint={t("conversationHint")}
        />
        <SwitchField label={t("enabled")} {...field("enabled")} />
        <FormErrors />
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

function toTaskDraft(task: Task | undefined): TaskDraft {
  if (!task) return NEW_TASK;
  const { name, description, enabled, trigger, config, prompt, target_session_id } = task;
  return { name, description, enabled, trigger, config, prompt, target_session_id };
}
