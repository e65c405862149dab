import { Badge, Code, Group, Progress, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import textCss from "../../shared/styles/text.module.css";
import { Failure, formatTime, Loaded } from "../../shared/ui/common.tsx";
import { type JobDetail, jobs, toTitle } from "./api.ts";
import { JOB_COLORS } from "./job-list.tsx";
import { useTexts } from "./texts.ts";

/** One job: input, progress, steps and log. */
export function JobLog({ id }: { readonly id: string }) {
  const query = useQuery({ queryKey: ["job", "one", id], queryFn: () => jobs.get(id) });
  return <Loaded query={query}>{(job) => <JobDetails job={job} />}</Loaded>;
}

function JobDetails({ job }: { readonly job: JobDetail }) {
  const { t, language } = useTexts();
  const { status, progress, progress_text, error, steps, logs } = job;
  const times = [
    [t("due"), job.run_at],
    [t("started"), job.started_at],
    [t("finished"), job.finished_at],
  ] as const;
  const timeFormat = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
  return (
    <div data-testid="job-detail">
      <Group gap="xs" mb="xs">
        <Text fw={600}>{toTitle(job, language)}</Text>
        <Badge variant="light" color={JOB_COLORS[status]}>
          {t(`status_${status}`)}
        </Badge>
      </Group>
      <Text size="sm" mt="xs">
        {times.flatMap(([label, at]) => (at ? [`${label} ${formatTime(at, language)}`] : [])).join(" · ")}
      </Text>
      {error && <Failure error={new Error(error.error)} />}
      {progress !== null && (
        <>
          <Progress value={progress * 100} mt="sm" aria-label={progress_text || t("state")} />
          <Text size="xs" c="dimmed">
            {progress_text}
          </Text>
        </>
      )}
      <Heading text={t("input")} />
      <Code block>{JSON.stringify(job.payload, null, 2)}</Code>
      {steps.length > 0 && (
        <>
          <Heading text={t("steps")} />
          {steps.map(({ name, state }) => (
            <Text size="sm" key={name}>
              {name}: {state === "started" && status === "running" ? t("status_running") : t(`step_${state}`)}
            </Text>
          ))}
        </>
      )}
      <JobIdentifiers job={job} />
      <Heading text={t("showLog")} />
      {logs.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("noLog")}
        </Text>
      ) : (
        <Code block data-testid="job-log" mah="40vh" style={{ overflow: "auto", whiteSpace: "pre-wrap" }} tabIndex={0}>
          {logs.map(({ at, text }) => `${timeFormat.format(new Date(at))}  ${text}`).join("\n")}
        </Code>
      )}
    </div>
  );
}

/** Technical identifiers, as in the API and the log. */
function JobIdentifiers({ job: { id, kind, key } }: { readonly job: JobDetail }) {
  const { t } = useTexts();
  const names = [
    ["jobId", id],
    ["jobKind", kind],
    ["jobKey", key],
  ] as const;
  return (
    <details>
      <summary>{t("identifiers")}</summary>
      <dl className={textCss.pairs}>
        {names.map(
          ([label, name]) =>
            name !== null && (
              <div key={label}>
                <dt>{t(label)}</dt>
                <dd style={{ overflowWrap: "anywhere" }}>
                  <Code>{name}</Code>
                </dd>
              </div>
            ),
        )}
      </dl>
    </details>
  );
}

function Heading({ text }: { readonly text: string }) {
  return (
    <Title order={3} size="h6" mt="md" mb={4}>
      {text}
    </Title>
  );
}
