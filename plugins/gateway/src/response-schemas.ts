import { UNANSWERED_REASONS, type UnansweredReason } from "@parley/core";
import { answerFields, extend, failureDetailShape, listData, shape } from "@parley/core/http";
import type { SharedNode, SharedNodeList } from "./cluster/cluster-nodes.ts";
import { NODE_STATES, NODE_TYPES, type NodeRecord } from "./cluster/node-registry.ts";
import type { DeadLetter } from "./deliver/dead-letters.ts";
import type { RetriedItem } from "./deliver/retry-all.ts";
import { LEVELS } from "./observe/event-log.ts";
import type { Lookup } from "./observe/history.ts";
import type {
  DeliveryRecord,
  EventRecord,
  LogRecord,
  QueueItemRecord,
  TurnMessage,
} from "./observe/history-records.ts";
import type { Minute } from "./observe/metrics/minute-metrics.ts";
import type { TracedMessage, TracedMessages } from "./observe/search-messages.ts";
import type { TraceRecord } from "./observe/trace-record.ts";

const { id, text, time, flag, count, number, texts, record, anything, word, orNull, listOf, mapOf, either } =
  answerFields;
const UNANSWERED_REASON_CODES = Object.keys(UNANSWERED_REASONS) as UnansweredReason[];
const health = word("ok", "degraded", "down");
const component = shape({ status: health, detail: text }, "HealthComponent");
const level = word(...LEVELS);
const worker = word("running", "stopped");
const deliveryState = word(
  "pending",
  "sending",
  "unknown_after_send",
  "failed",
  "delivered",
  "dead",
  "expired",
  "cancelled",
);
const queueState = word("pending", "processing", "completed", "failed", "dead");
const queueCounts = shape(
  { pending: count, processing: count, completed: count, failed: count, dead: count },
  "QueueCounts",
);

export const healthData = shape({
  status: health,
  service: text,
  version: text,
  time,
  components: mapOf(component),
});
export const statsData = shape({
  mode: text,
  storage: shape({ enabled: flag, path_name: text, size_bytes: count }),
  events: shape({ count, dropped: count }),
  deliveries: shape({ count, by_status: mapOf(count) }),
  dedupe: shape({ count }),
  queue: queueCounts,
  worker: shape({ state: worker, processed: count, errors: count, active: count }),
  rate_limited: count,
  dropped: mapOf(count),
  filter: shape({ rules: count, skipped_timeouts: count }),
  started_at: time,
});
export const queueData = shape(
  {
    queue_size: count,
    status_breakdown: queueCounts,
    total_enqueued: count,
    total_completed: count,
    total_failed: count,
    total_dead: count,
    oldest_pending_at: orNull(time),
    worker_state: worker,
  },
  "QueueStatus",
);
export const startWorkerResult = shape({ state: word("running"), started: flag });
export const stopWorkerResult = shape({ state: word("stopped"), stopped: flag, graceful: flag, remaining: count });

const event = shape<EventRecord>(
  {
    id,
    trace_id: id,
    event_type: text,
    status: text,
    stage: text,
    action: text,
    level,
    channel_id: orNull(text),
    conversation_id: orNull(text),
    user_id: orNull(text),
    message_id: orNull(text),
    error: orNull(text),
    error_detail: failureDetailShape.optional(),
    metadata: record,
    created_at: time,
  },
  "GatewayEvent",
);
const log = shape<LogRecord>(
  {
    id,
    trace_id: id,
    source: text,
    type: text,
    level,
    stage: text,
    action: text,
    status: text,
    message: text,
    channel_id: orNull(text),
    conversation_id: orNull(text),
    user_id: orNull(text),
    message_id: orNull(text),
    tool_name: orNull(text),
    delivery_id: orNull(text),
    queue_item_id: orNull(text),
    error_code: orNull(text),
    error_message: orNull(text),
    message_detail: failureDetailShape.optional(),
    error_detail: failureDetailShape.optional(),
    node_id: text,
    request_id: orNull(text),
    parent_id: orNull(text),
    metadata: record,
    created_at: time,
  },
  "GatewayLog",
);
const delivery = shape<DeliveryRecord>(
  {
    id,
    trace_id: id,
    session_id: id,
    channel_id: id,
    conversation_id: text,
    status: deliveryState,
    part: count,
    parts: count,
    content: text,
    attempts: count,
    next_retry_at: orNull(time),
    platform_message_id: orNull(text),
    request: record,
    response: orNull(record),
    error: orNull(text),
    error_detail: failureDetailShape.optional(),
    created_at: time,
    updated_at: time,
  },
  "Delivery",
);
const queueItem = shape<QueueItemRecord>(
  {
    item_id: id,
    trace_id: id,
    channel_id: id,
    conversation_id: text,
    status: queueState,
    attempt: count,
    max_attempts: count,
    error: orNull(text),
    next_retry_at: orNull(time),
    created_at: time,
    updated_at: time,
    raw_event: anything,
    parsed: anything,
  },
  "QueueItem",
);

export const eventList = listData(event);
const unansweredReason = orNull(word(...UNANSWERED_REASON_CODES));
const turnMessage = shape<TurnMessage>(
  { message_id: orNull(id), queue_item_id: id, text, received_at: time },
  "TurnMessage",
);
export const eventChain = listData(event, {
  trace_id: id,
  unanswered_reason: unansweredReason,
  answered_with: orNull(id),
  messages: listOf(turnMessage),
});
export const logList = listData(log, { count });
export const deliveryList = listData(delivery);
export const traceData = shape<TraceRecord>(
  {
    trace_id: id,
    summary: shape({
      events_count: count,
      deliveries_count: count,
      queue_items_count: count,
      mcp_logs_count: count,
      has_content: flag,
    }),
    events: listOf(event),
    deliveries: listOf(delivery),
    queue_items: listOf(queueItem),
    mcp_logs: listOf(log),
    timeline: listOf(
      either(
        extend(event, { timeline_type: word("event") }, "TimelineEvent"),
        extend(log, { timeline_type: word("log") }, "TimelineLog"),
        extend(delivery, { timeline_type: word("delivery") }, "TimelineDelivery"),
        extend(queueItem, { timeline_type: word("queue_item") }, "TimelineQueueItem"),
      ),
    ),
    diagnostics: orNull(
      shape({
        reason: text,
        reason_detail: orNull(failureDetailShape),
        possible_causes: texts,
        possible_cause_details: listOf(orNull(failureDetailShape)),
        next_step: text,
        next_step_detail: orNull(failureDetailShape),
      }),
    ),
  },
  "Trace",
);
export const messageSearchResult = shape<TracedMessages>({
  items: listOf(
    shape<TracedMessage>(
      {
        item_id: id,
        trace_id: id,
        session_id: id,
        channel_id: id,
        conversation_id: text,
        sender: shape({ id: text, name: text }),
        text,
        state: word("waiting", "running", "done", "ignored", "skipped", "stopped", "expired", "failed", "dead"),
        cause: orNull(text),
        unanswered_reason: unansweredReason,
        created_at: time,
      },
      "TracedMessage",
    ),
  ),
  next_cursor: orNull(id),
});
export const lookupData = shape<Lookup>({
  input: text,
  matches: listOf(shape({ type: text, count, source: text })),
  best_guess: shape({ type: text, confidence: number }),
  next_tools: listOf(shape({ tool: text, args: mapOf(text) })),
});

export const deadLetterList = listData(
  shape<DeadLetter>(
    {
      item_id: id,
      kind: word("inbound", "delivery"),
      channel_id: id,
      conversation_id: text,
      session_id: id,
      trace_id: id,
      cause: text,
      error: orNull(text),
      error_detail: failureDetailShape.optional(),
      attempts: count,
      first_at: time,
      last_at: time,
      preview: text,
      suggested_action: word("retry", "fix_config", "review_duplicate", "none"),
    },
    "DeadLetter",
  ),
);
export const retryResult = shape({ item_id: id, status: word("pending") });
const retriedItem = shape<RetriedItem>(
  {
    item_id: id,
    result: word("retried", "needs_confirmation", "gone", "failed"),
    error: text.optional(),
    detail: failureDetailShape.optional(),
  },
  "RetriedItem",
);
export const retryAllResult = shape(
  { items: listOf(retriedItem), retried: count, needs_confirmation: count, gone: count, failed: count },
  "RetriedItems",
);
export const discardResult = shape({ discarded: count });

export const minutesData = shape({
  items: listOf(
    shape<Minute>(
      {
        at: time,
        messages_in: count,
        turns: count,
        answers_out: count,
        given_up: count,
        ack_p99_ms: number,
        turn_p50_ms: number,
        turn_p99_ms: number,
      },
      "Minute",
    ),
  ),
});
export const nodeList = listData(
  shape<NodeRecord>(
    {
      node_id: id,
      node_type: word(...NODE_TYPES),
      status: word(...NODE_STATES),
      version: text,
      address: text,
      current_load: number,
      capabilities: texts,
      metadata: record,
      last_heartbeat: time,
      registered_at: time,
      registered_by: text,
    },
    "Node",
  ),
);

export const sharedNode = shape<SharedNode>(
  {
    id,
    version: text,
    address: text,
    started_at: time,
    heartbeat_at: time,
    lag_ms: count,
    draining: flag,
    channels: texts,
    conversations: count,
    turns_running: count,
  },
  "SharedNode",
);
export const sharedNodeList = shape<SharedNodeList>({ shared: flag, self: id, items: listOf(sharedNode) });
