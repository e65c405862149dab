import { Button, Group, Select, Text } from "@mantine/core";
import { useState } from "react";
import { formatDuration } from "../../../shared/i18n/format-duration.ts";
import { formatShortTime, formatTime } from "../../../shared/ui/common.tsx";
import { Empty } from "../../../shared/ui/page/empty.tsx";
import { RecordList } from "../../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../../shared/ui/table/use-paged-list.ts";
import { automation, isFinished, type Run } from "../api.ts";
import { useTexts } from "../texts.ts";
import { RunStatusBadge } from "./status-badges.tsx";
import { useFreshRuns } from "./use-fresh-runs.ts";

const POLL_MS = 3_000;
const KINDS = ["workflow", "task", "heartbeat"] as const;
const STATUSES = ["running", "success", "failed", "canceled", "timed_out"] as const;

interface RunListProps {
  readonly openRun: (runId: string) => void;
  /** Limits the list to the runs of one record. */
  readonly ownerId?: string;
}

/** The list of runs, newest first. */
export function RunList({ openRun, ownerId }: RunListProps) {
  const { t } = useTexts();
  useFreshRuns();
  const [kind, setKind] = useState<(typeof KINDS)[number] | null>(null);
  const [status, setStatus] = useState<(typeof STATUSES)[number] | null>(null);
  const params = {
    ...(ownerId !== undefined && { owner_id: ownerId }),
    ...(kind && { kind }),
    ...(status && { status }),
  };
  const query = usePagedList({
    queryKey: ["run", "list", params],
    read: ({ limit }, before) => automation.listRuns({ ...params, limit, ...(before !== "" && { before }) }),
    getId: ({ run_id }) => run_id,
    refetchMs: (items) => (items.some((run) => !isFinished(run.status)) ? POLL_MS : false),
  });
  return (
    <>
      <Group gap="xs" mb="sm">
        {ownerId === undefined && (
          <Select
            style={{ flex: "1 1 9rem" }}
            clearable
            aria-label={t("allKinds")}
            placeholder={t("allKinds")}
            value={kind}
            onChange={setKind}
            data={KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
          />
        )}
        <Select
          style={{ flex: "1 1 9rem" }}
          clearable
          aria-label={t("allStates")}
          placeholder={t("allStates")}
          value={status}
          onChange={setStatus}
          data={STATUSES.map((value) => ({ value, label: t(`status_${value}`) }))}
        />
      </Group>
      <RecordList
        query={query}
        getId={({ run_id }) => run_id}
        columns={[t("what"), t("state"), t("started"), t("took"), t("result")]}
        actions={t("actions")}
        empty={<NoRuns isFiltered={kind !== null || status !== null} />}
        isEndless
        row={(run) => <RunRow run={run} openRun={openRun} />}
      />
    </>
  );
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  const { t } = useTexts();
  if (!isFiltered) return <Empty icon="task" title={t("noRuns")} hint={t("noRunsHint")} />;
  return (
    <Text c="dimmed" size="sm">
      {t("noRunsFound")}
    </Text>
  );
}

function RunRow({ run, openRun }: RunListProps & { readonly run: Run }) {
  const { t, language } = useTexts();
  const at = run.started_at ?? run.created_at;
  const error = run.error;
  return (
    <RecordRow
      testId="run-row"
      cells={[
        <>
          {run.kind === "heartbeat" ? t("kind_heartbeat") : run.owner_name}
          <Text size="xs" c="dimmed">
            {t(`kind_${run.kind}`)} · {t(`by_${run.trigger}`)}
          </Text>
        </>,
        <RunStatusBadge key="status" status={run.status} />,
        <span key="at" title={formatTime(at, language)} style={{ whiteSpace: "nowrap" }}>
          {formatShortTime(at, language)}
        </span>,
        formatDuration(run.duration_ms, language),
        (error ?? run.result) && (
          <Text key="result" size="sm" lineClamp={2} {...(error !== null && { c: "red" })}>
            {error ?? run.result}
          </Text>
        ),
      ]}
      actions={
        <Button size="compact-sm" variant="subtle" onClick={() => openRun(run.run_id)} data-testid="open-run">
          {t("details")}
        </Button>
      }
    />
  );
}
