import { collectWrites, type Effect, notifyApplied } from "@parley/core";
import type { OutboxWriter } from "../deliver/outbox.ts";
import type { FailPoint } from "../fail-point.ts";
import type { EventLog, LogEntry } from "../observe/event-log.ts";
import type { TurnRecordings } from "../observe/replay/turn-recordings.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { MessageEnd } from "../store/inbox.ts";
import type { OutcomeWaiter } from "./outcome-waiter.ts";

export interface FinishedMessage extends Omit<MessageEnd, "writes"> {
  readonly effects?: readonly Effect[];
  readonly entry: LogEntry;
}

export interface FinishMessageDeps {
  readonly store: Pick<GatewayStore, "finish">;
  readonly outbox: OutboxWriter;
  readonly outcomes: Pick<OutcomeWaiter, "publish">;
  readonly log: Pick<EventLog, "add" | "record">;
  readonly recordings: Pick<TurnRecordings, "take">;
  readonly failPoint: FailPoint;
}

/** Stores the end of a message in one transaction: outcome, effects and deliveries. */
export async function finishMessage(
  deps: FinishMessageDeps,
  { effects = [], entry, deliveries: planned = [], ...ending }: FinishedMessage,
) {
  const { store, outbox, outcomes, log, recordings, failPoint } = deps;
  const deliveries = await outbox.prepare(planned);
  const deliveryIds = deliveries.map(({ id }) => id);
  const outcome = deliveryIds.length > 0 ? { ...ending.outcome, deliveryIds } : ending.outcome;
  const results = await store
    .finish({ ...ending, outcome, writes: collectWrites(effects), deliveries })
    .catch((error) => {
      outbox.discard(deliveries);
      throw error;
    });
  failPoint("intent-written");
  outbox.add(deliveries);
  notifyApplied(effects, results);
  outcomes.publish(outcome);
  log.add(entry);
  const record = recordings.take(outcome.traceId);
  if (record) log.record(record);
  return {};
}
