import { Badge, Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { gateway, type QueueState, type QueueStatus } from "../../shared/api/gateway.ts";
import factsCss from "../../shared/styles/facts.module.css";
import textCss from "../../shared/styles/text.module.css";
import { Failure, formatShortTime, Loaded, useAction } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";

const POLL_MS = 3_000;
const QUERY_KEYS = [["gateway", "queue"]] as const;
const STATES = [
  ["pending", "queueWaiting"],
  ["processing", "queueRunning"],
  ["completed", "queueDone"],
  ["failed", "queueFailed"],
] as const satisfies readonly (readonly [QueueState, TextKey])[];

/** The counts of waiting, running and dead-lettered messages, and a switch for their processing. */
export function QueueStatusPanel() {
  const queue = useQuery({
    queryKey: ["gateway", "queue"],
    queryFn: gateway.getQueue,
    refetchInterval: POLL_MS,
    retry: false,
  });
  return <Loaded query={queue}>{(found) => <QueueCounts queue={found} />}</Loaded>;
}

function QueueCounts({
  queue: { status_breakdown, oldest_pending_at, worker_state },
}: {
  readonly queue: QueueStatus;
}) {
  const { t, language } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  // Counts messages and deliveries, without dismissed ones.
  const deadLetterQuery = useQuery({
    queryKey: ["gateway", "dead", 1],
    queryFn: () => gateway.listDeadLetters({ limit: 1 }),
    refetchInterval: POLL_MS,
    retry: false,
  });
  const isRunning = worker_state === "running";
  return (
    <>
      <div className={factsCss.facts}>
        {STATES.map(([state, label]) => (
          <div className={factsCss.fact} key={state} data-testid={`queue-${state}`}>
            <span className={textCss.meta}>{t(label)}</span>
            <b>{status_breakdown[state].toLocaleString(language)}</b>
            {state === "pending" && oldest_pending_at && (
              <span className={textCss.meta}>
                {t("oldest")} {formatShortTime(oldest_pending_at, language)}
              </span>
            )}
          </div>
        ))}
        <div className={factsCss.fact} data-testid="queue-dead">
          <span className={textCss.meta}>{t("queueDead")}</span>
          <b>{(deadLetterQuery.data?.total ?? status_breakdown.dead).toLocaleString(language)}</b>
        </div>
      </div>
      <Group gap="xs" mt="sm">
        <Badge color={isRunning ? "parley" : "yellow"} variant="light" data-testid="worker-state">
          {t(isRunning ? "workerRunning" : "workerStopped")}
        </Badge>
        {isRunning ? (
          <ConfirmButton
            label={t("stopWorker")}
            text={t("stopWorkerHint")}
            run={toHandler(() => gateway.controlWorker("stop"), { throws: true })}
          />
        ) : (
          <RequireChangeScope>
            <Button size="compact-sm" loading={isBusy} onClick={toHandler(() => gateway.controlWorker("start"))}>
              {t("startWorker")}
            </Button>
          </RequireChangeScope>
        )}
      </Group>
      <Failure error={error} />
    </>
  );
}
