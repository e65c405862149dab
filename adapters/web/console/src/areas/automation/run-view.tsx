import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { durationOf } from "../../shared/i18n/durations.ts";
import { useMoney } from "../../shared/i18n/money.ts";
import { Failure, Loaded, timeOf, useTried } from "../../shared/ui/common.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { automation, isOver, type Run, type RunDetail, type RunStep, reasonOf } from "./api.ts";
import automationCss from "./automation.module.css";
import { CHANGED, StateBadge, StatusBadge } from "./shared.tsx";
import { useTexts } from "./texts.ts";

const LOOK_MS = 1_000;

interface RunViewProps {
  readonly id: string;
  /** Another run of the same was started. */
  readonly again?: (runId: string) => void;
}

/** One run: how it stands, each step with what it was given and what it gave; followed while it runs. */
export function RunView({ id, again }: RunViewProps) {
  const found = useQuery({
    queryKey: ["run", "one", id],
    queryFn: () => automation.run(id),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.run.status) ? false : LOOK_MS),
  });
  return <Loaded query={found}>{(detail) => <Detail detail={detail} {...(again && { again })} />}</Loaded>;
}

function Detail({ detail, again }: { readonly detail: RunDetail } & Pick<RunViewProps, "again">) {
  const { t, language } = useTexts();
  const { priceOf } = useMoney();
  const { run, steps, order, is_cancelable } = detail;
  const why = reasonOf(run);
  const { tried, isBusy, error } = useTried(CHANGED);
  const start = async () => {
    const { content = "", inputs = {} } = order;
    const { run_id } = await (run.kind === "workflow"
      ? automation.execute(run.owner_id, { content, inputs })
      : automation.runTask(run.owner_id));
    again?.(run_id);
  };
  const facts = [
    t(`by_${run.trigger}` as "by_manual"),
    timeOf(run.started_at ?? run.created_at, language),
    durationOf(run.duration_ms, language),
    costOf(run.usage, t, priceOf),
  ];
  return (
    <div data-testid="run-view">
      <Group gap="xs" mb={4}>
        <Text fw={600}>{run.kind === "heartbeat" ? t("kind_heartbeat") : run.owner_name}</Text>
        <StatusBadge status={run.status} />
      </Group>
      <Text size="sm" c="dimmed">
        {facts.filter(Boolean).join(" · ")}
      </Text>
      <Group gap="xs" my="xs">
        {is_cancelable && (
          <Changes>
            <Button
              size="compact-sm"
              variant="light"
              color="red"
              loading={isBusy}
              onClick={tried(() => automation.cancel(run.run_id))}
            >
              {t("cancelRun")}
            </Button>
          </Changes>
        )}
        {isOver(run.status) && again && (
          <Changes>
            <Button size="compact-sm" variant="light" loading={isBusy} onClick={tried(start)} data-testid="rerun">
              {t("rerun")}
            </Button>
          </Changes>
        )}
        {run.session_id !== null && (
          <Button
            size="compact-sm"
            variant="subtle"
            component={Link}
            to={`/sessions/${encodeURIComponent(run.session_id)}` as string}
          >
            {t("openConversation")}
          </Button>
        )}
      </Group>
      <Failure error={error} />
      {why !== null && <Failure error={new Error(why)} />}
      {run.result !== "" && (
        <>
          <Text size="sm" fw={600} mt="sm">
            {t("result")}
          </Text>
          <Shown value={run.result} />
        </>
      )}
      <Stack gap="xs" mt="md">
        {steps.map((step) => (
          <StepView key={step.key} step={step} />
        ))}
      </Stack>
    </div>
  );
}

function StepView({ step }: { readonly step: RunStep }) {
  const { t, language } = useTexts();
  const { priceOf } = useMoney();
  const { name, state, attempts, input, output, started_at, duration_ms, usage } = step;
  const why = reasonOf(step);
  const isInner = step.key.includes(".");
  return (
    <details className={automationCss.runStep} data-inner={isInner} data-testid="run-step">
      <summary>
        <Group gap="xs" component="span" display="inline-flex">
          <Text span size="sm" fw={isInner ? 400 : 600}>
            {name}
          </Text>
          <StateBadge state={state} />
          <Text span size="xs" c="dimmed">
            {[
              timeOf(started_at, language),
              durationOf(duration_ms, language),
              attempts > 1 ? t("tries", { count: attempts }) : "",
              costOf(usage, t, priceOf),
            ]
              .filter(Boolean)
              .join(" · ")}
          </Text>
        </Group>
        {why !== null && (
          <Text size="sm" c="red">
            {why}
          </Text>
        )}
      </summary>
      <Text size="xs" c="dimmed" mt="xs">
        {t("given")}
      </Text>
      <Shown value={input} />
      {output !== null && (
        <>
          <Text size="xs" c="dimmed" mt="xs">
            {t("got")}
          </Text>
          <Shown value={output} />
        </>
      )}
    </details>
  );
}

/** What the models of a run or step took. */
function costOf(
  { total_tokens, cost }: Run["usage"],
  t: ReturnType<typeof useTexts>["t"],
  priceOf: (amount: number) => string,
): string {
  const tokens = total_tokens > 0 ? t("tokens", { count: total_tokens }) : "";
  return [tokens, cost === null ? "" : `${t("cost")} ${priceOf(cost)}`].filter(Boolean).join(" · ");
}

/** A text as it is, anything else as JSON. */
export function Shown({ value }: { readonly value: unknown }) {
  return (
    <Code block className={automationCss.runValue} tabIndex={0}>
      {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
    </Code>
  );
}
