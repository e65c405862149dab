import { Badge, Button, Switch, Text, Title, UnstyledButton } from "@mantine/core";
import { formatInterval } from "../../shared/i18n/format-duration.ts";
import { Failure, formatTime, useAction } from "../../shared/ui/common.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { CronText } from "../../shared/ui/text/cron-text.tsx";
import { jobs, type Schedule, toTitle } from "./api.ts";
import { JOB_COLORS, QUERY_KEYS } from "./job-list.tsx";
import { useTexts } from "./texts.ts";
import { useScheduleTargets } from "./use-schedule-targets.ts";

interface ScheduleListProps {
  readonly openJob: (jobId: string) => void;
}

/** Scheduled jobs with their next run. */
export function ScheduleList({ openJob }: ScheduleListProps) {
  const { t } = useTexts();
  const schedules = usePagedList({
    queryKey: ["job", "schedules", "pages"],
    read: (page) => jobs.listSchedules(page),
    getId: ({ id }) => id,
  });
  const getTargetName = useScheduleTargets(schedules.data?.items.map(({ id }) => id) ?? []);
  return (
    <section aria-labelledby="schedules">
      <Title order={2} size="h4" id="schedules" mt="xl">
        {t("schedules")}
      </Title>
      <RecordList
        query={schedules}
        getId={({ id }) => id}
        columns={[t("what"), t("when"), t("next"), t("last")]}
        actions={t("runNow")}
        empty={
          <Text c="dimmed" size="sm">
            {t("noSchedules")}
          </Text>
        }
        row={(schedule) => <ScheduleRow schedule={schedule} name={getTargetName(schedule.id)} openJob={openJob} />}
      />
    </section>
  );
}

interface ScheduleRowProps extends ScheduleListProps {
  readonly schedule: Schedule;
  /** Name of the scheduled task or workflow. */
  readonly name: string | undefined;
}

function ScheduleRow({ schedule, name, openJob }: ScheduleRowProps) {
  const { t, language } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const { id, enabled, last_job, next_run, next_runs, skipped_count } = schedule;
  const label = name ?? (id === schedule.kind ? toTitle(schedule, language) : id);
  const hasEnded = schedule.at !== null && next_run === null;
  const nextRunTexts = next_runs.map((time) => formatTime(time, language)).join("\n");
  return (
    <RecordRow
      testId="schedule-row"
      cells={[
        <>
          {toTitle(schedule, language)}
          <Text size="xs" c="dimmed" title={id}>
            {name ?? (schedule.titles && id === schedule.kind ? "" : id)}
            {!schedule.titles && ` · ${t("pluginOff")}`}
          </Text>
          <Failure error={error} />
        </>,
        <ScheduleTiming key="timing" schedule={schedule} />,
        <span key="next" title={`${t("nextRuns")}\n${nextRunTexts}`}>
          {next_run === null ? t("off") : formatTime(next_run, language)}
        </span>,
        <>
          {last_job && (
            <UnstyledButton
              onClick={() => openJob(last_job.id)}
              aria-label={`${t("showLog")}: ${label}, ${t(`status_${last_job.status}`)}`}
            >
              <Badge variant="light" color={JOB_COLORS[last_job.status]} style={{ cursor: "pointer" }}>
                {t(`status_${last_job.status}`)}
              </Badge>
            </UnstyledButton>
          )}{" "}
          {formatTime(schedule.last_run, language)}
          {skipped_count > 0 && (
            <Text size="xs" c="dimmed">
              {t("skipped", { count: skipped_count })}
            </Text>
          )}
        </>,
      ]}
      actions={
        <>
          <RequireChangeScope>
            <Button
              size="compact-sm"
              variant="subtle"
              loading={isBusy}
              disabled={!schedule.titles}
              onClick={toHandler(() => jobs.runSchedule(id))}
            >
              {t("runNow")}
            </Button>
          </RequireChangeScope>
          <RequireChangeScope>
            <Switch
              size="sm"
              checked={enabled}
              disabled={isBusy || hasEnded}
              onChange={toHandler(() => jobs.setScheduleEnabled(id, !enabled))}
              aria-label={`${t("enabled")}: ${label}`}
            />
          </RequireChangeScope>
        </>
      }
    />
  );
}

function ScheduleTiming({ schedule: { cron, every_ms, at, timezone } }: { readonly schedule: Schedule }) {
  const { t, language } = useTexts();
  if (cron !== null) return <CronText cron={cron} timezone={timezone} />;
  if (every_ms !== null) return t("every", { time: formatInterval(every_ms, language) });
  return `${t("once")}: ${formatTime(at, language)}`;
}
