import { type Effect, tellApplied, writesOf } from "@parley/core";
import type { EventLog, LogEntry } from "./event-log.ts";
import type { FailPoint } from "./fail-point.ts";
import type { OutboxDoor } from "./outbox.ts";
import type { Outcomes } from "./outcomes.ts";
import type { Recordings } from "./recording.ts";
import type { Ending } from "./store/inbox.ts";
import type { GatewayStore } from "./store.ts";

export interface EndOfItem extends Omit<Ending, "writes"> {
  readonly effects?: readonly Effect[];
  readonly entry: LogEntry;
}

export interface ItemEndParts {
  readonly store: Pick<GatewayStore, "end">;
  readonly outbox: OutboxDoor;
  readonly outcomes: Pick<Outcomes, "tell">;
  readonly log: Pick<EventLog, "add" | "record">;
  readonly recordings: Pick<Recordings, "take">;
  readonly failPoint: FailPoint;
}

/** Stores the end of a message: what it came to, what that changes and what is to be sent, in one transaction. */
export async function endItem(
  parts: ItemEndParts,
  { effects = [], entry, deliveries: made = [], ...ending }: EndOfItem,
) {
  const { store, outbox, outcomes, log, recordings, failPoint } = parts;
  const deliveries = await outbox.prepared(made);
  const deliveryIds = deliveries.map(({ id }) => id);
  const outcome = deliveryIds.length > 0 ? { ...ending.outcome, deliveryIds } : ending.outcome;
  const results = await store.end({ ...ending, outcome, writes: writesOf(effects), deliveries }).catch((error) => {
    outbox.forget(deliveries);
    throw error;
  });
  failPoint("intent-written");
  outbox.add(deliveries);
  tellApplied(effects, results);
  outcomes.tell(outcome);
  log.add(entry);
  const record = recordings.take(outcome.traceId);
  if (record) log.record(record);
  return {};
}
