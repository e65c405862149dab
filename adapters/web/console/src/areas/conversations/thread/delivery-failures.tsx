import { Button } from "@mantine/core";
import type { Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useHasScope } from "../../../shared/api/console.ts";
import { type DeadLetter, type Delivery, gateway } from "../../../shared/api/gateway.ts";
import { Failure, useAction } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { ConfirmButton } from "../../../shared/ui/feedback/confirm.tsx";
import { useDeadLetters } from "../../../shared/ui/feedback/dead-letter-count.tsx";
import { toSentenceCase } from "../../../shared/ui/text/to-sentence-case.ts";
import sessionListCss from "../list/session-list.module.css";
import messageCss from "../message/message.module.css";
import { useTexts } from "../texts.ts";

const MAX_DELIVERIES = 200;
const NO_DELIVERIES: readonly Delivery[] = [];
const QUERY_KEYS = [["dead_letter"]] as const;

/** The undelivered messages of a conversation, by the id of the message they belong to. */
export type DeliveryFailures = ReadonlyMap<string, readonly Delivery[]>;

/** Fetches the failed deliveries of a channel conversation; live events refetch them. */
export function useDeliveryFailures(
  sessionId: string,
  messages: readonly Message[],
  isChannel: boolean,
): DeliveryFailures {
  const { data = NO_DELIVERIES } = useQuery({
    queryKey: ["dead_letter", "session", sessionId],
    queryFn: async () => (await gateway.listUndelivered(sessionId, MAX_DELIVERIES)).items,
    enabled: isChannel,
    retry: false,
  });
  return useMemo(() => groupByMessage(data, messages), [data, messages]);
}

function groupByMessage(deliveries: readonly Delivery[], messages: readonly Message[]): DeliveryFailures {
  const failures = new Map<string, readonly Delivery[]>();
  for (const [traceId, failed] of Map.groupBy(deliveries, ({ trace_id }) => trace_id)) {
    const ofTrace = messages.filter(({ trace_id }) => trace_id === traceId);
    // Without an answer, the failed delivery is a notice to the person who asked.
    const message = ofTrace.findLast(({ role }) => role === "assistant") ?? ofTrace.at(-1);
    if (message) failures.set(message.id, failed);
  }
  return failures;
}

/** Shows below a message that it was not delivered, with the reason and a retry button. */
export function DeliveryFailureNotice({ deliveries }: { readonly deliveries: readonly Delivery[] | undefined }) {
  const { t } = useTexts();
  const letters = useDeadLetters();
  if (!deliveries) return null;
  const ids = new Set(deliveries.map(({ id }) => id));
  const [first] = deliveries;
  const isPartial = first !== undefined && deliveries.length < first.parts;
  const withError = deliveries.find(({ error }) => error !== null);
  return (
    <div className={`${messageCss.message} ${messageCss.undelivered}`} role="alert" data-testid="undelivered">
      <Icon name="warning" size={14} />
      <b>{t(isPartial ? "partlyDelivered" : "notDelivered")}</b>
      {withError && <span>{toSentenceCase(withError.error ?? "")}</span>}
      <RetryButton letters={letters.filter(({ item_id }) => ids.has(item_id))} />
    </div>
  );
}

/** Retries dead letters, first part first. */
function RetryButton({ letters }: { readonly letters: readonly DeadLetter[] }) {
  const { t } = useTexts();
  const canRetry = useHasScope("admin");
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  if (!canRetry || letters.length === 0) return null;
  const send = (isConfirmed: boolean) => async () => {
    const { items } = await gateway.retryAll(
      letters.map(({ item_id }) => item_id),
      isConfirmed,
    );
    const failed = items.find(({ result }) => result === "failed");
    if (failed) throw new Error(failed.error ?? "");
  };
  const mayArriveTwice = letters.some(({ suggested_action }) => suggested_action === "review_duplicate");
  return (
    <>
      {mayArriveTwice ? (
        <ConfirmButton
          label={t("retrySending")}
          what={letters[0]?.preview ?? ""}
          text={t("duplicateHint")}
          run={toHandler(send(true), { throws: true })}
        />
      ) : (
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          loading={isBusy}
          onClick={toHandler(send(false))}
          data-testid="retry-sending"
        >
          {t("retrySending")}
        </Button>
      )}
      <Failure error={error} />
    </>
  );
}

/** Returns the ids of conversations that have dead letters. */
export function useSessionsWithDeliveryFailures(): ReadonlySet<string> {
  const letters = useDeadLetters();
  return useMemo(() => new Set(letters.map(({ session_id }) => session_id)), [letters]);
}

/** Marks a conversation with undelivered messages in a list. */
export function DeliveryFailureDot() {
  const { t } = useTexts();
  return (
    <span
      className={sessionListCss.undelivered}
      role="img"
      aria-label={t("hasUndelivered")}
      title={t("hasUndelivered")}
      data-testid="undelivered-dot"
    />
  );
}
