import type { InboundMessage, ItemFailure, OutboundMessage } from "@parley/core";
import { getErrorDetail } from "../store/outbox.ts";
import { parseOutcome } from "../store/stored-outcome.ts";
import type { DeliveryState, InboxState, InboxTable, LogTable, OutboxTable } from "../store/tables.ts";
import { STATUSES } from "./event-log.ts";
import { readMetadata, type SentenceDetails } from "./row-metadata.ts";

const MAX_ATTEMPTS = 3;

/** A log row with parsed metadata. */
export interface LogRecord extends Omit<LogTable, "metadata">, SentenceDetails {
  readonly node_id: string;
  readonly request_id: null;
  readonly parent_id: null;
  readonly metadata: unknown;
}

export interface EventRecord {
  readonly id: string;
  readonly trace_id: string;
  readonly event_type: string;
  readonly status: string;
  readonly stage: string;
  readonly action: string;
  readonly level: string;
  readonly channel_id: string | null;
  readonly conversation_id: string | null;
  readonly user_id: string | null;
  readonly message_id: string | null;
  readonly error: string | null;
  /** Localization of the error; absent where only the English text exists. */
  readonly error_detail?: ItemFailure["detail"];
  readonly metadata: unknown;
  readonly created_at: string;
}

export interface DeliveryRecord {
  readonly id: string;
  readonly trace_id: string;
  readonly session_id: string;
  readonly channel_id: string;
  readonly conversation_id: string;
  readonly status: DeliveryState;
  readonly part: number;
  readonly parts: number;
  readonly content: string;
  readonly attempts: number;
  readonly next_retry_at: string | null;
  readonly platform_message_id: string | null;
  readonly request: unknown;
  readonly response: unknown;
  readonly error: string | null;
  /** Localization of the error; absent where only the English message exists. */
  readonly error_detail?: ItemFailure["detail"];
  readonly created_at: string;
  readonly updated_at: string;
}

export interface QueueItemRecord {
  readonly item_id: string;
  readonly trace_id: string;
  readonly channel_id: string;
  readonly conversation_id: string;
  readonly status: "pending" | "processing" | "completed" | "failed" | "dead";
  readonly attempt: number;
  readonly max_attempts: number;
  readonly error: string | null;
  readonly next_retry_at: null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly raw_event: unknown;
  readonly parsed: unknown;
}

/** Steps without rows, by the status that implies them: a received message was also verified and parsed. */
const IMPLIED_BY = new Map([
  ["verified", "received"],
  ["parsed", "received"],
  ["deduped", "queued"],
]);

export function toStoredStatus(status: string): string {
  return IMPLIED_BY.get(status) ?? status;
}

/** Returns the row as the requested step when its status implies that step. */
export function toRequestedStep(row: LogTable, status: string | undefined): LogTable {
  if (status === undefined || IMPLIED_BY.get(status) !== row.status) return row;
  const [action, stage, level, type] = STATUSES[status] ?? [row.action, row.stage, row.level, row.type];
  return { ...row, status, action, stage, level, type };
}

export function toEventRecord(row: LogTable): EventRecord {
  const { id, trace_id, type, status, stage, action, level, channel_id, conversation_id, user_id } = row;
  const { message_detail, error_detail, metadata } = readMetadata(row);
  return {
    id,
    trace_id,
    event_type: type,
    status,
    stage,
    action,
    level,
    channel_id,
    conversation_id,
    user_id,
    message_id: row.message_id,
    error: row.error_message,
    ...(error_detail && { error_detail }),
    metadata: { message: row.message, ...(message_detail && { message_detail }), ...metadata },
    created_at: row.created_at,
  };
}

export function toLogRecord(row: LogTable): LogRecord {
  return { ...row, node_id: "local", request_id: null, parent_id: null, ...readMetadata(row) };
}

export function toDeliveryRecord(row: OutboxTable): DeliveryRecord {
  const message = JSON.parse(row.message) as OutboundMessage;
  const detail = getErrorDetail(row);
  const isWaiting = row.state === "failed" || row.state === "pending";
  const hasArrived = row.state === "delivered";
  return {
    id: row.id,
    trace_id: row.trace_id,
    session_id: row.session_id,
    channel_id: row.channel_id,
    conversation_id: row.conversation_id,
    status: row.state,
    part: message.part,
    parts: message.parts,
    content: message.text,
    attempts: row.attempts,
    next_retry_at: isWaiting && row.attempts > 0 ? toIso(row.next_ms) : null,
    platform_message_id: row.platform_message_id,
    request: { text: message.text, attachments: message.attachments, reply_to: message.replyTo ?? null },
    response: row.quality === null ? null : { quality: row.quality, platform_message_id: row.platform_message_id },
    // Errors of earlier attempts are events of the trace, not errors of a delivered message.
    error: hasArrived ? null : (row.error ?? row.cause),
    ...(detail && !hasArrived && { error_detail: detail }),
    created_at: toIso(row.created_ms),
    updated_at: toIso(row.updated_ms),
  };
}

/** Status names of the contract by inbox state. */
const QUEUE_STATES: Readonly<Record<InboxState, QueueItemRecord["status"]>> = {
  waiting: "pending",
  running: "processing",
  done: "completed",
  ignored: "completed",
  skipped: "completed",
  stopped: "completed",
  expired: "failed",
  failed: "failed",
  dead: "dead",
};

/** Converts counts by inbox state to counts by the states of the contract. */
export function toQueueCounts(
  counts: Readonly<Partial<Record<InboxState, number>>>,
): Readonly<Record<QueueItemRecord["status"], number>> {
  const sums = { pending: 0, processing: 0, completed: 0, failed: 0, dead: 0 };
  for (const [state, count] of Object.entries(counts)) sums[QUEUE_STATES[state as InboxState]] += count;
  return sums;
}

export function toQueueItemRecord(row: InboxTable): QueueItemRecord {
  const { raw, ...parsed } = JSON.parse(row.message) as InboundMessage;
  return {
    item_id: row.id,
    trace_id: row.trace_id,
    channel_id: row.channel_id,
    conversation_id: parsed.conversation.id,
    status: QUEUE_STATES[row.state],
    attempt: row.runs,
    max_attempts: MAX_ATTEMPTS,
    error: row.cause,
    next_retry_at: null,
    created_at: toIso(row.received_ms),
    updated_at: toIso(row.updated_ms),
    raw_event: raw ?? null,
    parsed,
  };
}

/** One of the messages that a turn answers. */
export interface TurnMessage {
  /** Id of the stored message; null while the turn runs, and for a message that was not stored. */
  readonly message_id: string | null;
  readonly queue_item_id: string;
  readonly text: string;
  readonly received_at: string;
}

export function toTurnMessage(row: InboxTable): TurnMessage {
  const { text } = JSON.parse(row.message) as InboundMessage;
  const message_id = parseOutcome(row)?.userMessage ?? null;
  return { message_id, queue_item_id: row.id, text, received_at: toIso(row.received_ms) };
}

function toIso(ms: number): string {
  return new Date(Number(ms)).toISOString();
}
