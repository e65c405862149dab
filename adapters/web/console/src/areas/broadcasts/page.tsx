import { Badge, Button, Progress, Text } from "@mantine/core";
import { useState } from "react";
import { Failure, formatShortTime, formatTime, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { type Broadcast, broadcasts, QUERY_KEYS } from "./api.ts";
import { BroadcastForm } from "./broadcast-form.tsx";
import { Recipients } from "./recipients.tsx";
import { useTexts } from "./texts.ts";

const PAGE_SIZE = 25;
const COLORS = { running: "blue", stopped: "orange", done: "parley" } as const;

type OpenedDialog = "add" | Broadcast | undefined;

/** The broadcasts with their progress, and the form for a new one. */
export function BroadcastsPage() {
  const { t } = useTexts();
  const [opened, setOpened] = useState<OpenedDialog>();
  const list = usePagedList({
    queryKey: ["broadcast", "list"],
    read: (page) => broadcasts.list(page),
    getId: ({ id }) => id,
    pageSize: PAGE_SIZE,
    refetchOnMount: "always",
  });
  const add = () => setOpened("add");
  const close = () => setOpened(undefined);
  return (
    <Page
      title={t("broadcasts")}
      hint={t("broadcastsHint")}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={add} data-testid="add-broadcast">
          {t("add")}
        </Button>
      }
    >
      <RecordList
        query={list}
        getId={({ id }) => id}
        columns={[t("text"), t("state"), t("reached"), t("when")]}
        actions={t("details")}
        empty={
          <Empty
            icon="send"
            title={t("noBroadcasts")}
            hint={t("noBroadcastsHint")}
            action={{ label: t("add"), run: add }}
          />
        }
        isEndless
        row={(broadcast) => <BroadcastRow broadcast={broadcast} open={() => setOpened(broadcast)} />}
      />
      <Dialog opened={opened !== undefined} onClose={close} title={t(opened === "add" ? "add" : "details")} size="lg">
        {opened === "add" && <BroadcastForm onDone={close} />}
        {opened !== undefined && opened !== "add" && <Recipients id={opened.id} text={opened.text} />}
      </Dialog>
    </Page>
  );
}

interface RowProps {
  readonly broadcast: Broadcast;
  readonly open: () => void;
}

function BroadcastRow({ broadcast, open }: RowProps) {
  const { t, language } = useTexts();
  const { text, state, error, created_at, created_by, counts } = broadcast;
  const all = counts.waiting + counts.sent + counts.delivered + counts.failed;
  return (
    <RecordRow
      testId="broadcast-row"
      cells={[
        <Text key="text" size="sm" lineClamp={2}>
          {text}
        </Text>,
        <div key="state">
          <Badge variant="light" color={COLORS[state]} data-testid="broadcast-state" data-state={state}>
            {t(`state_${state}`)}
          </Badge>
          {error && <Text size="xs">{error.error}</Text>}
        </div>,
        <div key="reached" data-testid="broadcast-counts">
          {t("ofAll", { count: counts.delivered, all })}
          {state === "running" && (
            <Progress
              value={((counts.delivered + counts.failed) / Math.max(1, all)) * 100}
              size="sm"
              mt={4}
              aria-label={t("state_running")}
            />
          )}
          <Text size="xs" c="dimmed">
            {counts.failed > 0 && `${t("failedCount", { count: counts.failed })} `}
            {counts.waiting + counts.sent > 0 && t("waitingCount", { count: counts.waiting + counts.sent })}
          </Text>
        </div>,
        <span key="when" title={formatTime(created_at, language)}>
          {formatShortTime(created_at, language)}
          <Text size="xs" c="dimmed">
            {t("by", { name: created_by })}
          </Text>
        </span>,
      ]}
      actions={<BroadcastActions broadcast={broadcast} open={open} />}
    />
  );
}

function BroadcastActions({ broadcast, open }: RowProps) {
  const { t } = useTexts();
  const { id, text, state, counts, retriable } = broadcast;
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  return (
    <>
      <Failure error={error} />
      <Button size="compact-sm" variant="subtle" onClick={open}>
        {t("details")}
      </Button>
      {state === "running" && (
        <ConfirmButton
          label={t("stop")}
          what={text}
          text={t("stopHint")}
          testId="stop-broadcast"
          run={toHandler(() => broadcasts.stop(id), { throws: true })}
        />
      )}
      {state === "stopped" && counts.waiting > 0 && (
        <RequireChangeScope>
          <Button
            size="compact-sm"
            variant="subtle"
            loading={isBusy}
            onClick={toHandler(() => broadcasts.resume(id, false))}
          >
            {t("resume")}
          </Button>
        </RequireChangeScope>
      )}
      {state !== "running" && retriable > 0 && (
        <ConfirmButton
          label={t("retryFailed")}
          what={text}
          text={t("retryFailedHint")}
          testId="retry-broadcast"
          run={toHandler(() => broadcasts.resume(id, true), { throws: true })}
        />
      )}
      {state !== "running" && (
        <ConfirmButton
          label={t("remove")}
          what={text}
          text={t("removeHint")}
          icon="trash"
          size="sm"
          run={toHandler(() => broadcasts.remove(id), { throws: true })}
        />
      )}
    </>
  );
}
