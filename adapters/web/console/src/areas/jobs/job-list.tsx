import { Badge, Button, Group, Progress, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { getServiceTime } from "../../shared/api/service-clock.ts";
import { Failure, formatShortTime, formatTime, useAction } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { type Job, type JobStatus, jobs, toTitle } from "./api.ts";
import { useTexts } from "./texts.ts";

const PAGE_SIZE = 25;
const STATUS_FILTERS = ["all", "running", "waiting", "dead", "done"] as const;
export const QUERY_KEYS = [["job"]] as const;
export const JOB_COLORS: Readonly<Record<JobStatus, string>> = {
  waiting: "gray",
  running: "blue",
  done: "parley",
  dead: "red",
  canceled: "gray",
};

interface JobListProps {
  readonly openJob: (jobId: string) => void;
}

/** Running, waiting and finished jobs; refetched on live events. */
export function JobList({ openJob }: JobListProps) {
  const { t } = useTexts();
  const [status, setStatus] = useState<(typeof STATUS_FILTERS)[number]>("all");
  const [searchText, setSearchText] = useState("");
  const [q] = useDebouncedValue(searchText, 300);
  const params = { status: status === "all" ? undefined : status, q };
  const query = usePagedList({
    queryKey: ["job", "list", params],
    read: (page) => jobs.list({ ...params, ...page }),
    getId: ({ id }) => id,
    pageSize: PAGE_SIZE,
  });
  return (
    <section aria-label={t("jobs")}>
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          value={status}
          onChange={setStatus}
          aria-label={t("showing")}
          data={STATUS_FILTERS.map((value) => ({ value, label: value === "all" ? t("all") : t(`status_${value}`) }))}
        />
        <TextInput
          size="xs"
          style={{ flex: "1 1 10rem" }}
          aria-label={t("search")}
          placeholder={t("search")}
          value={searchText}
          maxLength={200}
          onChange={({ currentTarget }) => setSearchText(currentTarget.value)}
          data-testid="job-search"
        />
      </Group>
      <RecordList
        query={query}
        getId={({ id }) => id}
        columns={[t("what"), t("state"), t("time"), t("why")]}
        actions={t("runAgain")}
        empty={<Empty icon="clock" title={t("noJobs")} isSmall />}
        row={(job) => <JobRow job={job} openJob={openJob} />}
      />
    </section>
  );
}

function JobRow({ job, openJob }: JobListProps & { readonly job: Job }) {
  const { t, language } = useTexts();
  const { error } = job;
  const hasLostSecrets = job.secrets_gone && job.status !== "done";
  return (
    <RecordRow
      testId="job-row"
      cells={[
        <>
          {toTitle(job, language)}
          <Text size="xs" c="dimmed" title={job.kind}>
            {job.key ?? (job.titles ? "" : job.kind)}
            {!job.titles && ` · ${t("pluginOff")}`}
          </Text>
        </>,
        <JobState key="state" job={job} />,
        <span key="time" title={formatTime(job.finished_at ?? job.run_at, language)} style={{ whiteSpace: "nowrap" }}>
          {formatShortTime(job.finished_at ?? job.started_at ?? job.run_at, language)}
        </span>,
        (error ?? hasLostSecrets) && (
          <>
            {error?.error}
            {hasLostSecrets && (
              <Text size="xs" c="dimmed">
                {t("secretsDeleted")}
              </Text>
            )}
            {error && job.status === "waiting" && (
              <Text size="xs" c="dimmed">
                {t("failures", { count: job.failures })}
              </Text>
            )}
          </>
        ),
      ]}
      actions={<JobActions job={job} openJob={openJob} />}
    />
  );
}

function JobState({ job: { status, progress, progress_text } }: { readonly job: Job }) {
  const { t } = useTexts();
  return (
    <>
      <Badge variant="light" color={JOB_COLORS[status]} data-testid="job-state" data-status={status}>
        {t(`status_${status}`)}
      </Badge>
      {status === "running" && progress !== null && (
        <>
          <Progress value={progress * 100} size="sm" mt={4} aria-label={progress_text || t("status_running")} />
          <Text size="xs" c="dimmed">
            {progress_text}
          </Text>
        </>
      )}
    </>
  );
}

function JobActions({ job, openJob }: JobListProps & { readonly job: Job }) {
  const { t, language } = useTexts();
  const { id, key, status, error, run_at, secrets_gone } = job;
  const { toHandler, isBusy, error: failure } = useAction(QUERY_KEYS);
  const what = key ?? toTitle(job, language);
  const isScheduledLater = status === "waiting" && new Date(run_at).getTime() > getServiceTime();
  const retryLabel = t(status === "waiting" ? "runNow" : "runAgain");
  return (
    <>
      <Failure error={failure} />
      <Button size="compact-sm" variant="subtle" onClick={() => openJob(id)}>
        {t("showLog")}
      </Button>
      {error?.code === "interrupted" && status === "dead" && !secrets_gone ? (
        <ConfirmButton
          label={retryLabel}
          what={what}
          text={t("duplicateStepHint")}
          run={toHandler(() => jobs.retry(id, true), { throws: true })}
        />
      ) : (
        (status === "dead" || status === "canceled" || isScheduledLater) &&
        !secrets_gone && (
          <RequireChangeScope>
            <Button
              size="compact-sm"
              variant="subtle"
              loading={isBusy}
              onClick={toHandler(() => jobs.retry(id, false))}
            >
              {retryLabel}
            </Button>
          </RequireChangeScope>
        )
      )}
      {status !== "done" && status !== "canceled" && (
        <ConfirmButton
          label={t(status === "dead" ? "dismissJob" : "cancelJob")}
          what={what}
          text={t(status === "dead" ? (secrets_gone ? "dismissOnlyHint" : "dismissHint") : "cancelHint")}
          run={toHandler(() => jobs.cancel(id), { throws: true })}
        />
      )}
    </>
  );
}
