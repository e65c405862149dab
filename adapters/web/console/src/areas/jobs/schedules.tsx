import { Badge, Button, Switch, Text, Title, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { everyOf } from "../../shared/i18n/durations.ts";
import { Failure, Loaded, timeOf, useTried } from "../../shared/ui/common.tsx";
import { CronText } from "../../shared/ui/cron-text.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { RecordRow, RecordTable } from "../../shared/ui/record-table.tsx";
import { jobs, type Schedule, titleOf } from "./api.ts";
import { CHANGED, COLORS } from "./jobs.tsx";
import { usePlanNames } from "./plan-names.ts";
import { useTexts } from "./texts.ts";

const MOST = 500;

interface SchedulesProps {
  readonly open: (jobId: string) => void;
}

/** What runs by itself at planned times, and when next. */
export function Schedules({ open }: SchedulesProps) {
  const { t } = useTexts();
  const schedules = useQuery({ queryKey: ["job", "schedules"], queryFn: () => jobs.schedules(MOST) });
  return (
    <section aria-labelledby="schedules">
      <Title order={2} size="h4" id="schedules" mt="xl">
        {t("schedules")}
      </Title>
      <Loaded query={schedules}>
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed" size="sm">
              {t("noSchedules")}
            </Text>
          ) : (
            <RecordTable columns={[t("what"), t("when"), t("next"), t("last")]} actions={t("runNow")}>
              <Rows items={items} open={open} />
            </RecordTable>
          )
        }
      </Loaded>
    </section>
  );
}

function Rows({ items, open }: SchedulesProps & { readonly items: readonly Schedule[] }) {
  const nameOf = usePlanNames(items.map(({ id }) => id));
  return items.map((schedule) => (
    <ScheduleRow key={schedule.id} schedule={schedule} name={nameOf(schedule.id)} open={open} />
  ));
}

interface ScheduleRowProps extends SchedulesProps {
  readonly schedule: Schedule;
  /** Of what it runs, where that has one. */
  readonly name: string | undefined;
}

function ScheduleRow({ schedule, name, open }: ScheduleRowProps) {
  const { t, language } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const { id, enabled, last_job, next_run, next_runs, skipped_count } = schedule;
  const called = name ?? (id === schedule.kind ? titleOf(schedule, language) : id);
  const isOver = schedule.at !== null && next_run === null;
  const later = next_runs.map((time) => timeOf(time, language)).join("\n");
  return (
    <RecordRow
      testId="schedule-row"
      cells={[
        <>
          {titleOf(schedule, language)}
          <Text size="xs" c="dimmed" title={id}>
            {name ?? (schedule.titles && id === schedule.kind ? "" : id)}
            {!schedule.titles && ` · ${t("pluginOff")}`}
          </Text>
          <Failure error={error} />
        </>,
        <Timing key="timing" schedule={schedule} />,
        <span key="next" title={`${t("nextRuns")}\n${later}`}>
          {next_run === null ? t("off") : timeOf(next_run, language)}
        </span>,
        <>
          {last_job && (
            <UnstyledButton
              onClick={() => open(last_job.id)}
              aria-label={`${t("showLog")}: ${called}, ${t(`status_${last_job.status}`)}`}
            >
              <Badge variant="light" color={COLORS[last_job.status]} style={{ cursor: "pointer" }}>
                {t(`status_${last_job.status}`)}
              </Badge>
            </UnstyledButton>
          )}{" "}
          {timeOf(schedule.last_run, language)}
          {skipped_count > 0 && (
            <Text size="xs" c="dimmed">
              {t("skipped", { count: skipped_count })}
            </Text>
          )}
        </>,
      ]}
      actions={
        <>
          <Changes>
            <Button
              size="compact-sm"
              variant="subtle"
              loading={isBusy}
              disabled={!schedule.titles}
              onClick={tried(() => jobs.run(id))}
            >
              {t("runNow")}
            </Button>
          </Changes>
          <Changes>
            <Switch
              size="sm"
              checked={enabled}
              disabled={isBusy || isOver}
              onChange={tried(() => jobs.toggle(id, !enabled))}
              aria-label={`${t("enabled")}: ${called}`}
            />
          </Changes>
        </>
      }
    />
  );
}

function Timing({ schedule: { cron, every_ms, at, timezone } }: { readonly schedule: Schedule }) {
  const { t, language } = useTexts();
  if (cron !== null) return <CronText cron={cron} timezone={timezone} />;
  if (every_ms !== null) return t("every", { time: everyOf(every_ms, language) });
  return `${t("once")}: ${timeOf(at, language)}`;
}
