import { collectWrites, type Effect, notifyApplied } from "@parley/core";
import type { OutboxWriter } from "../deliver/outbox.ts";
import type { FailPoint } from "../fail-point.ts";
import type { EventLog, LogEntry } from "../observe/event-log.ts";
import type { TurnRecordings } from "../observe/replay/turn-recordings.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { MergedMessage, MessageEnd } from "../store/inbox.ts";
import type { Bursts, DeferredMessage } from "./bursts/bursts.ts";
import type { OutcomeWaiter } from "./outcome-waiter.ts";
import { createEmptyOutcome } from "./turn-outcome.ts";

export interface FinishedMessage extends Omit<MessageEnd, "writes"> {
  readonly effects?: readonly Effect[];
  readonly entry: LogEntry;
  /** True when messages that wait for this one's answer get one of their own; otherwise they end with it. */
  readonly isWithdrawn?: boolean;
}

export interface FinishMessageDeps {
  readonly store: Pick<GatewayStore, "finish">;
  readonly outbox: OutboxWriter;
  readonly outcomes: Pick<OutcomeWaiter, "publish">;
  readonly log: Pick<EventLog, "add" | "record">;
  readonly recordings: Pick<TurnRecordings, "take">;
  readonly failPoint: FailPoint;
  readonly bursts: Pick<Bursts, "listDeferred" | "forget" | "putBack">;
}

/** Returns the ends of the messages that share the answer under `answeredWith`, with the effects that note it. */
function endDeferredMessages(deferred: readonly DeferredMessage[], answeredWith: string) {
  return Promise.all(
    deferred.map(async ({ item, reason, turn }) => {
      const outcome = { ...createEmptyOutcome(item.traceId, "ignored"), userMessage: turn.userMessage(), answeredWith };
      const merged: MergedMessage = { id: item.id, cause: reason, outcome };
      return { merged, effects: await turn.endMerged(reason, answeredWith) };
    }),
  );
}

/** Stores the end of a message in one transaction: outcome, effects and deliveries. */
export async function finishMessage(
  deps: FinishMessageDeps,
  { effects: own = [], entry, deliveries: planned = [], isWithdrawn = false, ...ending }: FinishedMessage,
) {
  const { store, outbox, outcomes, log, recordings, failPoint, bursts } = deps;
  const deferred = isWithdrawn
    ? []
    : await endDeferredMessages(bursts.listDeferred(ending.outcome.traceId), ending.outcome.traceId);
  const deliveries = await outbox.prepare(planned);
  const deliveryIds = deliveries.map(({ id }) => id);
  const outcome = {
    ...ending.outcome,
    ...(deliveryIds.length > 0 && { deliveryIds }),
    ...(deferred.length > 0 && { answeredTraceIds: deferred.map(({ merged }) => merged.outcome.traceId) }),
  };
  const effects = [...own, ...deferred.flatMap(({ effects: marks }) => marks)];
  const results = await store
    .finish({
      ...ending,
      outcome,
      writes: collectWrites(effects),
      deliveries,
      merged: deferred.map(({ merged }) => merged),
    })
    .catch((error) => {
      outbox.discard(deliveries);
      throw error;
    });
  failPoint("intent-written");
  outbox.add(deliveries);
  notifyApplied(effects, results);
  outcomes.publish(outcome);
  for (const { merged } of deferred) outcomes.publish(merged.outcome);
  log.add(entry);
  if (isWithdrawn) bursts.putBack(outcome.traceId);
  else bursts.forget(outcome.traceId);
  const record = recordings.take(outcome.traceId);
  if (record) log.record(record);
  return {};
}
