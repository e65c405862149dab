import { formatWarnings, type ItemFailure } from "@parley/core";
import type { LogTable } from "../store/tables.ts";
import { gatewayTexts } from "../texts.ts";
import {
  type DeliveryRecord,
  type EventRecord,
  type LogRecord,
  type QueueItemRecord,
  toEventRecord,
  toLogRecord,
} from "./history-records.ts";

export interface TraceRecord {
  readonly trace_id: string;
  readonly summary: {
    readonly events_count: number;
    readonly deliveries_count: number;
    readonly queue_items_count: number;
    readonly mcp_logs_count: number;
    readonly has_content: boolean;
  };
  readonly events: readonly EventRecord[];
  readonly deliveries: readonly DeliveryRecord[];
  readonly queue_items: readonly QueueItemRecord[];
  readonly mcp_logs: readonly LogRecord[];
  readonly timeline: readonly (object & { readonly timeline_type: string; readonly created_at: string })[];
  readonly diagnostics: {
    readonly reason: string;
    readonly reason_detail: ItemFailure["detail"] | null;
    readonly possible_causes: readonly string[];
    readonly possible_cause_details: readonly (NonNullable<ItemFailure["detail"]> | null)[];
    readonly next_step: string;
    readonly next_step_detail: ItemFailure["detail"] | null;
  } | null;
}

export function toTraceRecord(
  trace_id: string,
  rows: readonly LogTable[],
  deliveries: readonly DeliveryRecord[],
  queue_items: readonly QueueItemRecord[],
): TraceRecord {
  const logged = rows.filter(({ source }) => source === "gateway").map(toEventRecord);
  const events = [...logged, ...queue_items.flatMap((item) => deriveMissingEvents(item, logged))];
  const mcp_logs = rows.filter(({ source }) => source === "mcp").map(toLogRecord);
  const logs = rows.filter(({ source }) => source !== "gateway" && source !== "mcp").map(toLogRecord);
  const timeline = [
    ...events.map((row) => ({ timeline_type: "event", ...row })),
    ...[...mcp_logs, ...logs].map((row) => ({ timeline_type: "log", ...row })),
    ...deliveries.map((row) => ({ timeline_type: "delivery", ...row })),
    ...queue_items.map((row) => ({ timeline_type: "queue_item", ...row })),
  ].toSorted((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0));
  const has_content = timeline.length > 0;
  return {
    trace_id,
    summary: {
      events_count: events.length,
      deliveries_count: deliveries.length,
      queue_items_count: queue_items.length,
      mcp_logs_count: mcp_logs.length,
      has_content,
    },
    events,
    deliveries,
    queue_items,
    mcp_logs,
    timeline,
    diagnostics: has_content ? null : NOTHING_FOUND,
  };
}

/** Final statuses of a message. */
const END_STATUSES = new Set([
  "completed",
  "built",
  "filtered",
  "stopped",
  "expired",
  "dead",
  "failed",
  "dispatch_failed",
  "rate_limited",
]);

/** Derives events from the stored state that the log, which is written asynchronously, lost in a crash. */
function deriveMissingEvents(item: QueueItemRecord, logged: readonly EventRecord[]): readonly EventRecord[] {
  const event = (status: string, stage: string, created_at: string): EventRecord => ({
    id: `${item.item_id}-${status}`,
    trace_id: item.trace_id,
    event_type: status === "received" ? "receive" : "message",
    status,
    stage,
    action: status === "received" ? "receive" : "event",
    level: "info",
    channel_id: item.channel_id,
    conversation_id: item.conversation_id,
    user_id: null,
    message_id: null,
    error: item.error,
    metadata: { message: DERIVED.error, message_detail: DERIVED.detail },
    created_at,
  });
  const isOver = item.status === "completed" || item.status === "failed" || item.status === "dead";
  const hasEndEvent = logged.some(({ status }) => END_STATUSES.has(status));
  return [
    ...(logged.some(({ status }) => status === "received")
      ? []
      : [event("received", "receive_start", item.created_at)]),
    ...(isOver && !hasEndEvent ? [event(item.status, "", item.updated_at)] : []),
  ];
}

const DERIVED = gatewayTexts.message("trace_derived");
const NOTHING_FOUND = explainNothing();

function explainNothing(): NonNullable<TraceRecord["diagnostics"]> {
  const { warnings: possible_causes, warning_details: possible_cause_details } = formatWarnings([
    gatewayTexts.message("nothing_mistyped"),
    gatewayTexts.message("nothing_old"),
    gatewayTexts.message("nothing_rejected"),
  ]);
  const { error: reason, detail: reason_detail = null } = gatewayTexts.message("nothing_stored");
  const { error: next_step, detail: next_step_detail = null } = gatewayTexts.message("nothing_next");
  return { reason, reason_detail, possible_causes, possible_cause_details, next_step, next_step_detail };
}
