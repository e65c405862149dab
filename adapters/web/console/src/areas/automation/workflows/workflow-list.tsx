import { Button, Group, Switch, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Failure, formatShortTime, formatTime, useAction } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { ConfirmButton } from "../../../shared/ui/feedback/confirm.tsx";
import { toAddress } from "../../../shared/ui/page/address.ts";
import { Empty } from "../../../shared/ui/page/empty.tsx";
import { RequireChangeScope } from "../../../shared/ui/page/permissions.tsx";
import { RecordList } from "../../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../../shared/ui/table/record-table.tsx";
import tableCss from "../../../shared/ui/table/table.module.css";
import { usePagedList } from "../../../shared/ui/table/use-paged-list.ts";
import { automation, QUERY_KEYS, type Workflow } from "../api.ts";
import { NEW_WORKFLOW } from "../area.ts";
import { RunStatusBadge } from "../runs/status-badges.tsx";
import { ScheduleText } from "../schedule-fields.tsx";
import { useTexts } from "../texts.ts";

const POLL_MS = 2_000;

interface WorkflowListProps {
  readonly openRun: (runId: string) => void;
}

/** The list of workflows; each opens in its editor. */
export function WorkflowList({ openRun }: WorkflowListProps) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 300);
  const query = usePagedList({
    queryKey: ["workflow", "list", q],
    read: (page) => automation.listWorkflows(q, page),
    getId: ({ id }) => id,
    refetchMs: (items) => (items.some(({ status }) => status === "running") ? POLL_MS : false),
  });
  const create = () => void navigate(toAddress(`/automation/workflows/${NEW_WORKFLOW}`));
  return (
    <>
      <Group gap="xs" mb="sm">
        <TextInput
          style={{ flex: "1 1 12rem" }}
          aria-label={t("search")}
          placeholder={t("search")}
          value={typed}
          maxLength={200}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <RequireChangeScope>
          <Button leftSection={<Icon name="plus" size={16} />} onClick={create} data-testid="new-workflow">
            {t("newWorkflow")}
          </Button>
        </RequireChangeScope>
      </Group>
      <RecordList
        query={query}
        getId={({ id }) => id}
        columns={[t("name"), t("when"), t("next"), t("last")]}
        actions={t("actions")}
        empty={
          <Empty
            icon="task"
            title={t("noWorkflows")}
            hint={t("noWorkflowsHint")}
            {...(q === "" && { action: { label: t("newWorkflow"), run: create } })}
          />
        }
        isEndless
        row={(workflow) => <WorkflowRow workflow={workflow} openRun={openRun} />}
      />
    </>
  );
}

function WorkflowRow({ workflow, openRun }: WorkflowListProps & { readonly workflow: Workflow }) {
  const { t, language } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const { id, name, enabled, trigger, config, status, next_run, last_run, skipped_count } = workflow;
  return (
    <RecordRow
      testId="workflow-row"
      cells={[
        <>
          <Link {...toAddress(`/automation/workflows/${id}`)} className={tableCss.recordLink}>
            {name}
          </Link>
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
              onClick={toHandler(async () => openRun((await automation.runWorkflow(id)).run_id))}
              data-testid="run-workflow"
            >
              {t("run")}
            </Button>
          </RequireChangeScope>
          <ConfirmButton
            label={t("remove")}
            what={name}
            text={t("removeHint")}
            icon="trash"
            size="sm"
            run={toHandler(() => automation.removeWorkflow(id), { throws: true })}
          />
          {trigger !== "manual" && (
            <RequireChangeScope>
              <Switch
                size="sm"
                checked={enabled}
                disabled={isBusy}
                onChange={toHandler(() => automation.setWorkflowEnabled(id, !enabled))}
                aria-label={`${t("enabled")}: ${name}`}
              />
            </RequireChangeScope>
          )}
        </>
      }
    />
  );
}

/** The next run, and the number of skipped ones. */
export function NextRun({ at, skippedCount }: { readonly at: string | null; readonly skippedCount: number }) {
  const { t, language } = useTexts();
  return (
    <>
      <span className={tableCss.when}>{at === null ? "–" : formatTime(at, language)}</span>
      {skippedCount > 0 && (
        <Text size="xs" c="dimmed">
          {t("skippedRuns", { count: String(skippedCount) })}
        </Text>
      )}
    </>
  );
}
