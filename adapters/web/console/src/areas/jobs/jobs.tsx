import { Badge, Button, Group, Progress, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { serviceNow } from "../../shared/api/service-clock.ts";
import { Failure, Loaded, shortTimeOf, timeOf, toldOf, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { RecordRow, RecordTable } from "../../shared/ui/record-table.tsx";
import { ShowMore, useLonger } from "../../shared/ui/show-more.tsx";
import { type Job, type JobStatus, jobs, titleOf } from "./api.ts";
import { useTexts } from "./texts.ts";

const STEP = 25;
const SHOWN = ["all", "running", "waiting", "dead", "done"] as const;
export const CHANGED = [["job"]] as const;
export const COLORS: Readonly<Record<JobStatus, string>> = {
  waiting: "gray",
  running: "blue",
  done: "parley",
  dead: "red",
  canceled: "gray",
};

interface JobsProps {
  readonly open: (jobId: string) => void;
}

/** What runs, waits and is over; read again when the service says that something changed. */
export function Jobs({ open }: JobsProps) {
  const { t } = useTexts();
  const [shown, setShown] = useState<(typeof SHOWN)[number]>("all");
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed, 300);
  const longer = useLonger(STEP);
  const { limit } = longer;
  const asked = { status: shown === "all" ? undefined : shown, q, limit };
  const found = useQuery({
    queryKey: ["job", "list", asked],
    queryFn: () => jobs.list(asked),
    placeholderData: (before) => before,
  });
  return (
    <section aria-label={t("jobs")}>
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          value={shown}
          onChange={(value) => setShown(value as typeof shown)}
          aria-label={t("showing")}
          data={SHOWN.map((value) => ({ value, label: value === "all" ? t("all") : t(`status_${value}`) }))}
        />
        <TextInput
          size="xs"
          style={{ flex: "1 1 10rem" }}
          aria-label={t("search")}
          placeholder={t("search")}
          value={typed}
          maxLength={200}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-testid="job-search"
        />
      </Group>
      <Loaded query={found}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty icon="clock" title={t("noJobs")} isSmall />
          ) : (
            <>
              <RecordTable columns={[t("what"), t("state"), t("time"), t("why")]} actions={t("runAgain")}>
                {items.map((job) => (
                  <JobRow key={job.id} job={job} open={open} />
                ))}
              </RecordTable>
              <ShowMore {...longer} shown={items.length} total={total} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function JobRow({ job, open }: JobsProps & { readonly job: Job }) {
  const { t, language } = useTexts();
  const { error } = job;
  const secretsGone = job.secrets_gone && job.status !== "done";
  return (
    <RecordRow
      testId="job-row"
      cells={[
        <>
          {titleOf(job, language)}
          <Text size="xs" c="dimmed" title={job.kind}>
            {job.key ?? (job.titles ? "" : job.kind)}
            {!job.titles && ` · ${t("pluginOff")}`}
          </Text>
        </>,
        <State key="state" job={job} />,
        <span key="time" title={timeOf(job.finished_at ?? job.run_at, language)} style={{ whiteSpace: "nowrap" }}>
          {shortTimeOf(job.finished_at ?? job.started_at ?? job.run_at, language)}
        </span>,
        (error ?? secretsGone) && (
          <>
            {error && toldOf(error)}
            {secretsGone && (
              <Text size="xs" c="dimmed">
                {t("secretsGone")}
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
      actions={<JobActions job={job} open={open} />}
    />
  );
}

function State({ job: { status, progress, progress_text } }: { readonly job: Job }) {
  const { t } = useTexts();
  return (
    <>
      <Badge variant="light" color={COLORS[status]} data-testid="job-state" data-status={status}>
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

function JobActions({ job, open }: JobsProps & { readonly job: Job }) {
  const { t, language } = useTexts();
  const { id, key, status, error, run_at, secrets_gone } = job;
  const { tried, isBusy, error: failure } = useTried(CHANGED);
  const what = key ?? titleOf(job, language);
  const isLater = status === "waiting" && new Date(run_at).getTime() > serviceNow();
  const again = t(status === "waiting" ? "runNow" : "runAgain");
  return (
    <>
      <Failure error={failure} />
      <Button size="compact-sm" variant="subtle" onClick={() => open(id)}>
        {t("showLog")}
      </Button>
      {error?.code === "interrupted" && status === "dead" && !secrets_gone ? (
        <ConfirmButton
          label={again}
          what={what}
          text={t("mayHappenTwice")}
          run={tried(() => jobs.retry(id, true), { throws: true })}
        />
      ) : (
        (status === "dead" || status === "canceled" || isLater) &&
        !secrets_gone && (
          <Changes>
            <Button size="compact-sm" variant="subtle" loading={isBusy} onClick={tried(() => jobs.retry(id, false))}>
              {again}
            </Button>
          </Changes>
        )
      )}
      {status !== "done" && status !== "canceled" && (
        <ConfirmButton
          label={t(status === "dead" ? "putAside" : "cancelJob")}
          what={what}
          text={t(status === "dead" ? (secrets_gone ? "putAsideOnly" : "putAsideHint") : "cancelHint")}
          run={tried(() => jobs.cancel(id), { throws: true })}
        />
      )}
    </>
  );
}
