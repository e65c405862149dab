import { Alert, Badge, Button, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { findSchedule } from "../../shared/api/schedules.ts";
import { Failure, formatTime, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Dialog } from "../../shared/ui/page/page.tsx";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { formatSize } from "../../shared/ui/text/format-size.ts";
import { type Backup, backups, jobs } from "./api.ts";
import { RestoreBackup } from "./restore-backup.tsx";
import { useTexts } from "./texts.ts";

/** The schedule that makes the nightly backup; running it now backs up by hand. */
const BACKUP_SCHEDULE = "operations.backup";
const PAGE_SIZE = 25;
const QUERY_KEYS = [["backup"], ["job"]] as const;

/** The stored backups, each with check, download, restore instructions and deletion; a button makes one now. */
export function BackupList() {
  const { t, language } = useTexts();
  const list = usePagedList({
    queryKey: ["backup"],
    read: (page) => backups.list(page),
    getId: ({ id }) => id,
    pageSize: PAGE_SIZE,
  });
  const { data: schedule } = useQuery({
    queryKey: ["job", "schedules", BACKUP_SCHEDULE],
    queryFn: () => findSchedule(BACKUP_SCHEDULE),
  });
  const [restoredBackup, setRestoredBackup] = useState<Backup>();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const isRunning = schedule?.last_job?.status === "waiting" || schedule?.last_job?.status === "running";
  return (
    <section aria-labelledby="backups">
      <Group justify="space-between" mt="xl">
        <Title order={2} size="h4" id="backups">
          {t("backups")}
        </Title>
        {schedule && (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<Icon name="plus" size={16} />}
            loading={isBusy || isRunning}
            onClick={toHandler(() => jobs.runSchedule(BACKUP_SCHEDULE))}
            data-testid="back-up"
          >
            {t("backUp")}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t("backupsHint")}
      </Text>
      <Failure error={error} />
      <RecordList
        query={list}
        getId={({ id }) => id}
        columns={[t("made"), t("contents"), t("size"), t("version")]}
        actions={t("restore")}
        empty={<Empty isSmall icon="file" title={t("noBackups")} hint={t("noBackupsHint")} />}
        row={(one) => <BackupRow backup={one} onRestore={() => setRestoredBackup(one)} />}
      />
      <Dialog
        opened={restoredBackup !== undefined}
        onClose={() => setRestoredBackup(undefined)}
        title={t("restoreOf", { time: formatTime(restoredBackup?.created_at, language) })}
        size="lg"
      >
        {restoredBackup?.restore && <RestoreBackup backup={restoredBackup} restore={restoredBackup.restore} />}
      </Dialog>
    </section>
  );
}

interface BackupRowProps {
  readonly backup: Backup;
  readonly onRestore: () => void;
}

function BackupRow({ backup, onRestore }: BackupRowProps) {
  const { t, language } = useTexts();
  const { toHandler, isBusy, error } = useAction([]);
  const [checked, setChecked] = useState<Backup["problem"]>();
  const { id, folder, created_at, problem, product_version, files, databases, bytes, missing } = backup;
  const currentProblem = problem ?? checked;
  const check = toHandler(async () => setChecked((await backups.check(id)).problem));
  return (
    <RecordRow
      testId="backup-row"
      cells={[
        <>
          <span title={folder}>{formatTime(created_at, language)}</span>{" "}
          {currentProblem && (
            <Badge color="red" variant="light">
              {t("damaged")}
            </Badge>
          )}
          {checked === null && (
            <Badge color="parley" variant="light" data-testid="is-whole">
              {t("complete")}
            </Badge>
          )}
          {currentProblem && (
            <Alert color="red" mt={4} py="xs" role="alert" style={{ overflowWrap: "anywhere" }}>
              {currentProblem.error}
            </Alert>
          )}
          {missing.map((one) => (
            <Text key={one.error} size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }} data-testid="missing">
              {t("needsAttention")}: {one.error}
            </Text>
          ))}
          <Failure error={error} />
        </>,
        problem
          ? "–"
          : t("both", { databases: t("databases", { count: databases }), files: t("files", { count: files }) }),
        problem ? "–" : formatSize(bytes),
        product_version ?? "–",
      ]}
      actions={
        <>
          {!problem && (
            <>
              <Button size="compact-sm" variant="subtle" onClick={onRestore} data-testid="how-to-restore">
                {t("restore")}
              </Button>
              <Button size="compact-sm" variant="subtle" loading={isBusy} onClick={check} title={t("checkHint")}>
                {t("check")}
              </Button>
              <Button
                component="a"
                href={backups.toArchiveUrl(id)}
                size="compact-sm"
                variant="subtle"
                title={t("downloadHint")}
                data-testid="download-backup"
              >
                {t("download")}
              </Button>
            </>
          )}
          <ConfirmButton
            label={t("remove")}
            what={formatTime(created_at, language)}
            text={t("removeBackupHint", { folder })}
            run={toHandler(() => backups.remove(id), { throws: true })}
            testId="remove-backup"
          />
        </>
      }
    />
  );
}
