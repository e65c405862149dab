import { Button, Group, Select, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { durationOf } from "../../shared/i18n/durations.ts";
import { NotLoaded, shortTimeOf, timeOf, Waiting } from "../../shared/ui/common.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { MoreRows } from "../../shared/ui/pages.tsx";
import { RecordRow, RecordTable } from "../../shared/ui/record-table.tsx";
import { automation, isOver, type Run, reasonOf } from "./api.ts";
import { StatusBadge } from "./shared.tsx";
import { useTexts } from "./texts.ts";
import { useFreshRuns } from "./use-fresh-runs.ts";

const STEP = 50;
const LOOK_MS = 3_000;
const KINDS = ["workflow", "task", "heartbeat"] as const;
const STATUSES = ["running", "success", "failed", "canceled", "timed_out"] as const;

interface RunsProps {
  readonly open: (runId: string) => void;
  /** Of one record only. */
  readonly ownerId?: string;
}

/** What has run, newest first. */
export function Runs({ open, ownerId }: RunsProps) {
  const { t } = useTexts();
  useFreshRuns();
  const [kind, setKind] = useState<string | null>(null);
  const [status, setStatus] = useState<string | null>(null);
  const asked = { owner_id: ownerId, kind: kind ?? undefined, status: status ?? undefined, limit: STEP };
  const found = useInfiniteQuery({
    queryKey: ["run", "list", asked],
    queryFn: ({ pageParam }) => automation.runs({ ...asked, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ items, has_more }) => (has_more ? items.at(-1)?.run_id : undefined),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some((run) => !isOver(run.status))) ? LOOK_MS : false,
  });
  const items = found.data?.pages.flatMap((page) => page.items) ?? [];
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
      {found.isError && <NotLoaded query={found} />}
      {found.isPending && <Waiting />}
      {found.data && items.length === 0 && <Nothing isNarrowed={kind !== null || status !== null} />}
      {items.length > 0 && (
        <RecordTable columns={[t("what"), t("state"), t("started"), t("took"), t("result")]} actions={t("actions")}>
          {items.map((run) => (
            <RunRow key={run.run_id} run={run} open={open} />
          ))}
        </RecordTable>
      )}
      <MoreRows pages={found} />
    </>
  );
}

function Nothing({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const { t } = useTexts();
  if (!isNarrowed) return <Empty icon="task" title={t("noRuns")} hint={t("noRunsHint")} />;
  return (
    <Text c="dimmed" size="sm">
      {t("noRunsFound")}
    </Text>
  );
}

function RunRow({ run, open }: RunsProps & { readonly run: Run }) {
  const { t, language } = useTexts();
  const at = run.started_at ?? run.created_at;
  const why = reasonOf(run);
  return (
    <RecordRow
      testId="run-row"
      cells={[
        <>
          {run.kind === "heartbeat" ? t("kind_heartbeat") : run.owner_name}
          <Text size="xs" c="dimmed">
            {t(`kind_${run.kind}`)} · {t(`by_${run.trigger}` as "by_manual")}
          </Text>
        </>,
        <StatusBadge key="status" status={run.status} />,
        <span key="at" title={timeOf(at, language)} style={{ whiteSpace: "nowrap" }}>
          {shortTimeOf(at, language)}
        </span>,
        durationOf(run.duration_ms, language),
        (why ?? run.result) && (
          <Text key="result" size="sm" lineClamp={2} {...(why !== null && { c: "red" })}>
            {why ?? run.result}
          </Text>
        ),
      ]}
      actions={
        <Button size="compact-sm" variant="subtle" onClick={() => open(run.run_id)} data-testid="open-run">
          {t("details")}
        </Button>
      }
    />
  );
}
