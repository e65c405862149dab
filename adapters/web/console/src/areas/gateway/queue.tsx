import { Badge, Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { gateway, type QueueState, type QueueStatus } from "../../shared/api/gateway.ts";
import factsCss from "../../shared/styles/facts.module.css";
import textCss from "../../shared/styles/text.module.css";
import { Failure, Loaded, shortTimeOf, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";

const OFTEN = 3_000;
const CHANGED = [["gateway", "queue"]] as const;
const STATES = [
  ["pending", "queueWaiting"],
  ["processing", "queueRunning"],
  ["completed", "queueDone"],
  ["failed", "queueFailed"],
] as const satisfies readonly (readonly [QueueState, TextKey])[];

/** What waits, what is being answered and what was given up; and whether anybody works on it. */
export function Queue() {
  const queue = useQuery({
    queryKey: ["gateway", "queue"],
    queryFn: gateway.queue,
    refetchInterval: OFTEN,
    retry: false,
  });
  return <Loaded query={queue}>{(found) => <Counts queue={found} />}</Loaded>;
}

function Counts({ queue: { status_breakdown, oldest_pending_at, worker_state } }: { readonly queue: QueueStatus }) {
  const { t, language } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  // Questions and answers alike, without those that a person has put aside.
  const given = useQuery({
    queryKey: ["gateway", "dead", 1],
    queryFn: () => gateway.deadLetters({ limit: 1 }),
    refetchInterval: OFTEN,
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
                {t("oldest")} {shortTimeOf(oldest_pending_at, language)}
              </span>
            )}
          </div>
        ))}
        <div className={factsCss.fact} data-testid="queue-dead">
          <span className={textCss.meta}>{t("queueDead")}</span>
          <b>{(given.data?.total ?? status_breakdown.dead).toLocaleString(language)}</b>
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
            run={tried(() => gateway.work("stop"), { throws: true })}
          />
        ) : (
          <Changes>
            <Button size="compact-sm" loading={isBusy} onClick={tried(() => gateway.work("start"))}>
              {t("startWorker")}
            </Button>
          </Changes>
        )}
      </Group>
      <Failure error={error} />
    </>
  );
}
