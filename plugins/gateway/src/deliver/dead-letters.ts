import {
  type Clock,
  type InboundMessage,
  type ItemFailure,
  notFound,
  type OutboundMessage,
  toTraceMessage,
} from "@parley/core";
import { type List, mapItems, type Page } from "@parley/core/http";
import type { EventLog, LogEntry } from "../observe/event-log.ts";
import type { StateCounters } from "../observe/metrics/state-counters.ts";
import type { DeadLetterFilter, DeadLetterRow, DeadLetterStore } from "../store/dead-letters.ts";
import type { Delivery } from "../store/delivery.ts";
import type { QueueItem } from "../store/inbox.ts";
import { getErrorDetail } from "../store/outbox.ts";
import type { InboxTable } from "../store/tables.ts";
import { gatewayTexts } from "../texts.ts";
import type { DeadLetterNotifier } from "./dead-letter-notifier.ts";

const PREVIEW_CHARS = 200;

export type SuggestedAction = "retry" | "fix_config" | "review_duplicate" | "none";

/** A dead letter: a message or delivery that failed for good and waits for a person. */
export interface DeadLetter {
  readonly item_id: string;
  readonly kind: "inbound" | "delivery";
  readonly channel_id: string;
  readonly conversation_id: string;
  readonly session_id: string;
  readonly trace_id: string;
  readonly cause: string;
  readonly error: string | null;
  /** Localization of the error; absent where only the English message exists. */
  readonly error_detail?: ItemFailure["detail"];
  readonly attempts: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly preview: string;
  readonly suggested_action: SuggestedAction;
}

export interface DeadLetterQuery extends Page, DeadLetterFilter {}

/** The list of dead letters. A person retries or discards each of them once. */
export interface DeadLetters {
  list(query: DeadLetterQuery): Promise<List<DeadLetter>>;
  /**
   * Retries a dead letter. Rejects with `not_found` for an unknown id, `conflict` when it is no longer dead, and
   * `confirmation_required` when it may arrive twice.
   */
  retry(
    itemId: string,
    isConfirmed: boolean,
    by: string,
  ): Promise<{ readonly item_id: string; readonly status: "pending" }>;
  /** Sorts the ids in the order in which the messages were accepted; ids that are not dead letters come last. */
  sortOldestFirst(itemIds: readonly string[]): Promise<readonly string[]>;
  /** Discards matching dead letters; returns their number. Rejects with `not_found` when `item_id` is not listed. */
  discard(
    selection:
      | { readonly item_id: string }
      | { readonly item_ids: readonly string[] }
      | Omit<DeadLetterQuery, keyof Page>,
    reason: string,
    by: string,
  ): Promise<number>;
}

export interface DeadLettersDeps {
  readonly store: DeadLetterStore;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly counters: StateCounters;
  /** Set when several nodes share the database: the owner of the partition fetches reopened messages. */
  readonly notifyReopened: (() => Promise<void>) | undefined;
  /** Queues a reopened delivery. */
  readonly requeueDelivery: (delivery: Delivery) => void;
  /** Notifies clients that show the list of changes. */
  readonly deadLetterNotifier: DeadLetterNotifier;
  /** Queues a reopened message. */
  readonly requeueMessage: (item: QueueItem) => void;
}

const SUGGESTED_ACTIONS: Readonly<Record<string, SuggestedAction>> = {
  outcome_unknown: "review_duplicate",
  no_sender: "fix_config",
  auth: "fix_config",
  permanent: "none",
  payload: "none",
};
export function createDeadLetters(deps: DeadLettersDeps): DeadLetters {
  const { store, log, deadLetterNotifier } = deps;
  return {
    async list(query) {
      return mapItems(await store.page(query, query), toDeadLetter);
    },
    async retry(itemId, isConfirmed, by) {
      const row = (await store.find(itemId)) ?? (await rejectNotListed(store, itemId));
      if (row.cause === "outcome_unknown" && !isConfirmed) {
        throw gatewayTexts.error("confirmation_required", "may_repeat");
      }
      await (row.kind === "delivery" ? retryDelivery(deps, itemId) : retryMessage(deps, itemId));
      deadLetterNotifier.notifyChanged();
      log.add(toLogEntry(row, "retried", gatewayTexts.message("trace_retried", { by })));
      return { item_id: itemId, status: "pending" };
    },
    async sortOldestFirst(itemIds) {
      const known = await store.sortOldestFirst(itemIds);
      return [...new Set([...known, ...itemIds])];
    },
    async discard(selection, reason, by) {
      const letters = await store.discard("item_id" in selection ? { item_ids: [selection.item_id] } : selection);
      if ("item_id" in selection && letters.length === 0) throw notFound("dead letter", selection.item_id);
      if (letters.length > 0) deadLetterNotifier.notifyChanged();
      const message = gatewayTexts.message("trace_dismissed", { by, reason });
      for (const row of letters) log.add(toLogEntry(row, "discarded", message));
      return letters.length;
    },
  };
}

async function rejectNotListed(store: DeadLetterStore, itemId: string): Promise<never> {
  if (!(await store.exists(itemId))) throw notFound("dead letter", itemId);
  throw gatewayTexts.error("conflict", "not_on_list", { id: itemId });
}

async function retryDelivery(
  { store, counters, requeueDelivery, notifyReopened }: DeadLettersDeps,
  itemId: string,
): Promise<void> {
  const delivery = await store.resend(itemId);
  if (notifyReopened) return notifyReopened();
  counters.deliveries.change(itemId, "pending", { from: "dead" });
  requeueDelivery(delivery);
}

async function retryMessage(deps: DeadLettersDeps, itemId: string): Promise<void> {
  const item = await deps.store.rerun(itemId);
  if (deps.notifyReopened) return deps.notifyReopened();
  deps.counters.items.change(itemId, "waiting", { from: "dead" });
  deps.requeueMessage(toQueueItem(item, deps.clock.monotonic()));
}

function toLogEntry(
  { trace_id, channel_id, kind, id }: Pick<DeadLetterRow, "trace_id" | "channel_id" | "kind" | "id">,
  status: string,
  message: ItemFailure,
): LogEntry {
  const which = kind === "delivery" ? { deliveryId: id } : { itemId: id };
  return { traceId: trace_id, status, ...toTraceMessage(message), channelId: channel_id, ...which };
}

function toDeadLetter(row: DeadLetterRow): DeadLetter {
  const message = JSON.parse(row.message) as InboundMessage | OutboundMessage;
  const cause = row.cause ?? "unknown";
  const detail = getErrorDetail(row);
  return {
    item_id: row.id,
    kind: row.kind,
    channel_id: row.channel_id,
    conversation_id: row.conversation_id ?? message.conversation.id,
    session_id: row.session_id,
    trace_id: row.trace_id,
    cause,
    error: row.error,
    ...(detail && { error_detail: detail }),
    attempts: row.attempts,
    first_at: new Date(Number(row.first_ms)).toISOString(),
    last_at: new Date(Number(row.updated_ms)).toISOString(),
    preview: message.text.slice(0, PREVIEW_CHARS),
    suggested_action: SUGGESTED_ACTIONS[cause] ?? "retry",
  };
}

function toQueueItem({ id, trace_id, channel_id, session_id }: InboxTable, sinceMs: number): QueueItem {
  return { id, traceId: trace_id, channelId: channel_id, sessionId: session_id, sinceMs, isFirst: false };
}
