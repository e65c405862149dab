import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formatDuration } from "../../../shared/i18n/format-duration.ts";
import { useMoney } from "../../../shared/i18n/use-money.ts";
import { Failure, formatTime, Loaded, useAction } from "../../../shared/ui/common.tsx";
import { toAddress } from "../../../shared/ui/page/address.ts";
import { RequireChangeScope } from "../../../shared/ui/page/permissions.tsx";
import { automation, isFinished, QUERY_KEYS, type Run, type RunDetail, type RunStep } from "../api.ts";
import automationCss from "../automation.module.css";
import { useTexts } from "../texts.ts";
import { RunStatusBadge, StepStateBadge } from "./status-badges.tsx";

const POLL_MS = 1_000;

interface RunViewProps {
  readonly id: string;
  /** Called with the id of the run when it was started again. */
  readonly onRerun?: (runId: string) => void;
}

/** One run: status and every step with input and output; polled until it has finished. */
export function RunView({ id, onRerun }: RunViewProps) {
  const query = useQuery({
    queryKey: ["run", "one", id],
    queryFn: () => automation.getRun(id),
    refetchInterval: ({ state }) => (state.data && isFinished(state.data.run.status) ? false : POLL_MS),
  });
  return <Loaded query={query}>{(detail) => <RunDetails detail={detail} {...(onRerun && { onRerun })} />}</Loaded>;
}

function RunDetails({ detail, onRerun }: { readonly detail: RunDetail } & Pick<RunViewProps, "onRerun">) {
  const { t, language } = useTexts();
  const { formatPrice } = useMoney();
  const { run, steps, order, is_cancelable } = detail;
  const why = run.error;
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const rerun = async () => {
    const { content = "", inputs = {} } = order;
    const { run_id } = await (run.kind === "workflow"
      ? automation.runWorkflow(run.owner_id, { content, inputs })
      : automation.runTask(run.owner_id));
    onRerun?.(run_id);
  };
  const facts = [
    t(`by_${run.trigger}`),
    formatTime(run.started_at ?? run.created_at, language),
    formatDuration(run.duration_ms, language),
    formatCost(run.usage, t, formatPrice),
  ];
  return (
    <div data-testid="run-view">
      <Group gap="xs" mb={4}>
        <Text fw={600}>{run.kind === "heartbeat" ? t("kind_heartbeat") : run.owner_name}</Text>
        <RunStatusBadge status={run.status} />
      </Group>
      <Text size="sm" c="dimmed">
        {facts.filter(Boolean).join(" · ")}
      </Text>
      <Group gap="xs" my="xs">
        {is_cancelable && (
          <RequireChangeScope>
            <Button
              size="compact-sm"
              variant="light"
              color="red"
              loading={isBusy}
              onClick={toHandler(() => automation.cancelRun(run.run_id))}
            >
              {t("cancelRun")}
            </Button>
          </RequireChangeScope>
        )}
        {isFinished(run.status) && onRerun && (
          <RequireChangeScope>
            <Button size="compact-sm" variant="light" loading={isBusy} onClick={toHandler(rerun)} data-testid="rerun">
              {t("rerun")}
            </Button>
          </RequireChangeScope>
        )}
        {run.session_id !== null && (
          <Button
            size="compact-sm"
            variant="subtle"
            component={Link}
            {...toAddress(`/sessions/${encodeURIComponent(run.session_id)}`)}
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
          <ValueView value={run.result} />
        </>
      )}
      <Stack gap="xs" mt="md">
        {steps.map((step) => (
          <RunStepView key={step.key} step={step} />
        ))}
      </Stack>
    </div>
  );
}

function RunStepView({ step }: { readonly step: RunStep }) {
  const { t, language } = useTexts();
  const { formatPrice } = useMoney();
  const { name, state, attempts, input, output, started_at, duration_ms, usage } = step;
  const why = step.error;
  const isInner = step.key.includes(".");
  return (
    <details className={automationCss.runStep} data-inner={isInner} data-testid="run-step">
      <summary>
        <Group gap="xs" component="span" display="inline-flex">
          <Text span size="sm" fw={isInner ? 400 : 600}>
            {name}
          </Text>
          <StepStateBadge state={state} />
          <Text span size="xs" c="dimmed">
            {[
              formatTime(started_at, language),
              formatDuration(duration_ms, language),
              attempts > 1 ? t("tries", { count: attempts }) : "",
              formatCost(usage, t, formatPrice),
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
        {t("input")}
      </Text>
      <ValueView value={input} />
      {output !== null && (
        <>
          <Text size="xs" c="dimmed" mt="xs">
            {t("outcome")}
          </Text>
          <ValueView value={output} />
        </>
      )}
    </details>
  );
}

/** Formats the tokens and cost of a run or step. */
function formatCost(
  { total_tokens, cost }: Run["usage"],
  t: ReturnType<typeof useTexts>["t"],
  formatPrice: (amount: number) => string,
): string {
  const tokens = total_tokens > 0 ? t("tokens", { count: total_tokens }) : "";
  return [tokens, cost === null ? "" : `${t("cost")} ${formatPrice(cost)}`].filter(Boolean).join(" · ");
}

/** A value: a text unchanged, anything else as JSON. */
export function ValueView({ value }: { readonly value: unknown }) {
  return (
    <Code block className={automationCss.runValue} tabIndex={0}>
      {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
    </Code>
  );
}
