import { Button, Group, Switch, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Failure, Loaded, shortTimeOf, timeOf, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { RecordRow, RecordTable } from "../../shared/ui/record-table.tsx";
import tableCss from "../../shared/ui/table.module.css";
import { automation, type Workflow } from "./api.ts";
import { NEW_WORKFLOW } from "./area.ts";
import { CHANGED, PlanText, StatusBadge } from "./shared.tsx";
import { useTexts } from "./texts.ts";

const LOOK_MS = 2_000;

interface WorkflowsProps {
  readonly open: (runId: string) => void;
}

/** The workflows there are; each opens in its editor. */
export function Workflows({ open }: WorkflowsProps) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 300);
  const found = useQuery({
    queryKey: ["workflow", "list", q],
    queryFn: () => automation.workflows(q),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === "running") ? LOOK_MS : false),
  });
  const create = () => void navigate({ to: `/automation/workflows/${NEW_WORKFLOW}` as string });
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
        <Changes>
          <Button leftSection={<Icon name="plus" size={16} />} onClick={create} data-testid="new-workflow">
            {t("newWorkflow")}
          </Button>
        </Changes>
      </Group>
      <Loaded query={found}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon="task"
              title={t("noWorkflows")}
              hint={t("noWorkflowsHint")}
              {...(q === "" && { action: { label: t("newWorkflow"), run: create } })}
            />
          ) : (
            <RecordTable columns={[t("name"), t("when"), t("next"), t("last")]} actions={t("actions")}>
              {items.map((workflow) => (
                <WorkflowRow key={workflow.id} workflow={workflow} open={open} />
              ))}
            </RecordTable>
          )
        }
      </Loaded>
    </>
  );
}

function WorkflowRow({ workflow, open }: WorkflowsProps & { readonly workflow: Workflow }) {
  const { t, language } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const { id, name, enabled, trigger, config, status, next_run, last_run, skipped_count } = workflow;
  return (
    <RecordRow
      testId="workflow-row"
      cells={[
        <>
          <Link to={`/automation/workflows/${id}` as string} className={tableCss.recordLink}>
            {name}
          </Link>
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
              onClick={tried(async () => open((await automation.execute(id)).run_id))}
              data-testid="run-workflow"
            >
              {t("run")}
            </Button>
          </Changes>
          <ConfirmButton
            label={t("remove")}
            what={name}
            text={t("removeHint")}
            icon="trash"
            size="sm"
            run={tried(() => automation.removeWorkflow(id), { throws: true })}
          />
          {trigger !== "manual" && (
            <Changes>
              <Switch
                size="sm"
                checked={enabled}
                disabled={isBusy}
                onChange={tried(() => automation.toggleWorkflow(id, !enabled))}
                aria-label={`${t("enabled")}: ${name}`}
              />
            </Changes>
          )}
        </>
      }
    />
  );
}

/** When something comes next, and how often it was left out. */
export function Next({ at, skipped }: { readonly at: string | null; readonly skipped: number }) {
  const { t, language } = useTexts();
  return (
    <>
      <span className={tableCss.when}>{at === null ? "–" : timeOf(at, language)}</span>
      {skipped > 0 && (
        <Text size="xs" c="dimmed">
          {t("left", { count: String(skipped) })}
        </Text>
      )}
    </>
  );
}
