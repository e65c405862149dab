import { Button } from "@mantine/core";
import type { Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useMay } from "../../shared/api/console.ts";
import { type DeadLetter, type Delivery, gateway } from "../../shared/api/gateway.ts";
import { asSentence } from "../../shared/ui/as-sentence.ts";
import { Failure, localSentence, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { useDeadLetters } from "../../shared/ui/dead-letters.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import messageCss from "./message.module.css";
import sessionListCss from "./session-list.module.css";
import { useTexts } from "./texts.ts";

const MOST = 200;
const NONE: readonly Delivery[] = [];
const CHANGED = [["dead_letter"]] as const;

/** The undelivered messages of a conversation, by the id of the message they belong to. */
export type Undelivered = ReadonlyMap<string, readonly Delivery[]>;

/** Reads what the platform of a conversation did not take; the socket tells when that changes. */
export function useUndelivered(sessionId: string, messages: readonly Message[], isOutside: boolean): Undelivered {
  const { data = NONE } = useQuery({
    queryKey: ["dead_letter", "session", sessionId],
    queryFn: async () => (await gateway.undelivered(sessionId, MOST)).items,
    enabled: isOutside,
    retry: false,
  });
  return useMemo(() => byMessage(data, messages), [data, messages]);
}

function byMessage(deliveries: readonly Delivery[], messages: readonly Message[]): Undelivered {
  const marks = new Map<string, readonly Delivery[]>();
  for (const [traceId, sent] of Map.groupBy(deliveries, ({ trace_id }) => trace_id)) {
    const ofTrace = messages.filter(({ trace_id }) => trace_id === traceId);
    // Where there is no answer, it is a notice to whoever asked.
    const message = ofTrace.findLast(({ role }) => role === "assistant") ?? ofTrace.at(-1);
    if (message) marks.set(message.id, sent);
  }
  return marks;
}

/** Says below a message that its people did not get it, and why, with the way to send it again. */
export function UndeliveredMark({ deliveries }: { readonly deliveries: readonly Delivery[] | undefined }) {
  const { t } = useTexts();
  const letters = useDeadLetters();
  if (!deliveries) return null;
  const ids = new Set(deliveries.map(({ id }) => id));
  const [first] = deliveries;
  const isPartly = first !== undefined && deliveries.length < first.parts;
  const because = deliveries.find(({ error }) => error !== null);
  return (
    <div className={`${messageCss.message} ${messageCss.undelivered}`} role="alert" data-testid="undelivered">
      <Icon name="warning" size={14} />
      <b>{t(isPartly ? "partlyDelivered" : "notDelivered")}</b>
      {because && <span>{asSentence(localSentence(because.error ?? "", because.error_detail ?? null))}</span>}
      <Retry letters={letters.filter(({ item_id }) => ids.has(item_id))} />
    </div>
  );
}

/** Sends again what was given up, the first part first. */
function Retry({ letters }: { readonly letters: readonly DeadLetter[] }) {
  const { t } = useTexts();
  const mayRetry = useMay("admin");
  const { tried, isBusy, error } = useTried(CHANGED);
  if (!mayRetry || letters.length === 0) return null;
  const send = (isConfirmed: boolean) => async () => {
    const { items } = await gateway.retryAll(
      letters.map(({ item_id }) => item_id),
      isConfirmed,
    );
    const failed = items.find(({ result }) => result === "failed");
    if (failed) throw new Error(localSentence(failed.error ?? "", failed.detail ?? null));
  };
  const mayArriveTwice = letters.some(({ suggested_action }) => suggested_action === "review_duplicate");
  return (
    <>
      {mayArriveTwice ? (
        <ConfirmButton
          label={t("retrySending")}
          what={letters[0]?.preview ?? ""}
          text={t("mayArriveTwice")}
          run={tried(send(true), { throws: true })}
        />
      ) : (
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          loading={isBusy}
          onClick={tried(send(false))}
          data-testid="retry-sending"
        >
          {t("retrySending")}
        </Button>
      )}
      <Failure error={error} />
    </>
  );
}

/** The conversations in which something was given up, and not yet looked at. */
export function useUndeliveredSessions(): ReadonlySet<string> {
  const letters = useDeadLetters();
  return useMemo(() => new Set(letters.map(({ session_id }) => session_id)), [letters]);
}

/** Marks a conversation in a list. */
export function UndeliveredDot() {
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
