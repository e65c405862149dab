import {
  AppError,
  clampPage,
  contains,
  type Database,
  fixedStatement,
  type InboundMessage,
  type List,
  notFound,
  type OutboundMessage,
  type Page,
} from "@parley/core";
import type { Kysely, SelectQueryBuilder } from "kysely";
import { STATUSES } from "./event-log.ts";
import type {
  DeliveryState,
  HistoryTables,
  InboxState,
  InboxTable,
  LogTable,
  OutboxTable,
  TruthTables,
} from "./tables.ts";

const MOST_OF_A_TRACE = 1_000;
const MAX_ATTEMPTS = 3;

export interface EventQuery extends Page {
  readonly channel_id?: string;
  readonly status?: string;
  readonly event_type?: string;
  readonly trace_id?: string;
  readonly level?: string;
  readonly since?: string;
  readonly until?: string;
}

export interface LogQuery extends Page {
  readonly source?: string;
  readonly type?: string;
  readonly level?: string;
  readonly status?: string;
  readonly tool_name?: string;
  readonly trace_id?: string;
  readonly channel_id?: string;
  readonly since?: string;
  readonly until?: string;
  readonly q?: string;
}

export interface DeliveryQuery extends Page {
  readonly trace_id?: string;
  readonly channel_id?: string;
  readonly status?: string;
}

/** A row of the history (contract gateway §4). */
export interface LogRecord extends Omit<LogTable, "metadata"> {
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
    readonly possible_causes: readonly string[];
    readonly next_step: string;
  } | null;
}

export interface Lookup {
  readonly input: string;
  readonly matches: readonly { readonly type: string; readonly count: number; readonly source: string }[];
  readonly best_guess: { readonly type: string; readonly confidence: number };
  readonly next_tools: readonly { readonly tool: string; readonly args: Readonly<Record<string, string>> }[];
}

/** Reads what happened. With `[gateway] storage_enabled = false` every question is `unavailable`. */
export interface History {
  events(query: EventQuery): Promise<List<EventRecord>>;
  /** The events of one trace, oldest first; `not_found` when there are none. */
  chain(traceId: string, page: Page): Promise<List<EventRecord> & { readonly trace_id: string }>;
  logs(query: LogQuery): Promise<List<LogRecord> & { readonly count: number }>;
  deliveries(query: DeliveryQuery): Promise<List<DeliveryRecord>>;
  /** Takes a trace id, or the id of one of its rows. */
  trace(id: string): Promise<TraceRecord>;
  lookup(value: string): Promise<Lookup>;
}

export interface HistoryParts {
  /** The main database. */
  readonly truth: () => Database;
  /** `gateway.db`. */
  readonly history: () => Database;
  readonly isKept: boolean;
  /** Resolves when what was told so far is written. */
  readonly settled: () => Promise<void>;
}

type Logs = SelectQueryBuilder<HistoryTables, "gateway_logs", object>;

export function createHistory({ truth, history, isKept, settled }: HistoryParts): History {
  const refuseOff = () => {
    if (!isKept) throw new AppError("unavailable", "no history is kept: set [gateway] storage_enabled = true");
  };
  const tables = (): Kysely<TruthTables> => {
    refuseOff();
    return truth().tables<TruthTables>();
  };
  const gatewayLogs = (): Logs => {
    refuseOff();
    return history().tables<HistoryTables>().selectFrom("gateway_logs");
  };
  const countOf = async (rows: Logs) => {
    const row = await rows.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirst();
    return Number(row?.count ?? 0);
  };
  const newestFirst = (rows: Logs, { limit, offset }: Page) =>
    rows.selectAll().orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).offset(offset);
  const inTime = (rows: Logs, { since, until }: { readonly since?: string; readonly until?: string }): Logs => {
    const from = since === undefined ? rows : rows.where("created_at", ">=", since);
    return until === undefined ? from : from.where("created_at", "<", until);
  };
  const ofTrace = (traceId: string) =>
    gatewayLogs()
      .where("trace_id", "=", traceId)
      .selectAll()
      .orderBy("created_at")
      .orderBy("id")
      .limit(MOST_OF_A_TRACE);
  const traceIdOf = async (id: string): Promise<string | undefined> => {
    const logId = id.startsWith("event-") ? id.slice("event-".length) : id;
    if (!/^(log|dlv|qi)_/.test(logId)) return id;
    const rows = logId.startsWith("log_")
      ? gatewayLogs().select("trace_id").where("id", "=", logId)
      : tables()
          .selectFrom(id.startsWith("dlv_") ? "outbox" : "inbox")
          .select("trace_id")
          .where("id", "=", logId);
    return (await rows.executeTakeFirst())?.trace_id;
  };

  return {
    async events(query) {
      await settled();
      const page = clampPage(query);
      let rows = inTime(gatewayLogs().where("source", "=", "gateway"), query);
      if (query.channel_id !== undefined) rows = rows.where("channel_id", "=", query.channel_id);
      if (query.status !== undefined) rows = rows.where("status", "=", toldBy(query.status));
      if (query.event_type !== undefined) rows = rows.where("type", "=", query.event_type);
      if (query.trace_id !== undefined) rows = rows.where("trace_id", "=", query.trace_id);
      if (query.level !== undefined) rows = rows.where("level", "=", query.level);
      const [items, total] = await Promise.all([newestFirst(rows, page).execute(), countOf(rows)]);
      return { items: items.map((row) => eventOf(asAsked(row, query.status))), total, ...page };
    },
    async chain(traceId, given) {
      await settled();
      const page = clampPage(given);
      const rows = gatewayLogs().where("trace_id", "=", traceId);
      const [items, total] = await Promise.all([
        ofTrace(traceId).limit(page.limit).offset(page.offset).execute(),
        countOf(rows),
      ]);
      if (total === 0) throw notFound("trace", traceId);
      return { trace_id: traceId, items: items.map(eventOf), total, ...page };
    },
    async logs(query) {
      await settled();
      const page = clampPage(query);
      let rows = inTime(gatewayLogs(), query);
      for (const name of ["source", "type", "level", "status", "tool_name", "trace_id", "channel_id"] as const) {
        const value = name === "status" ? query.status && toldBy(query.status) : query[name];
        if (value !== undefined) rows = rows.where(name, "=", value);
      }
      if (query.q !== undefined) rows = rows.where(contains("message", query.q));
      const [items, total] = await Promise.all([newestFirst(rows, page).execute(), countOf(rows)]);
      return { items: items.map((row) => logOf(asAsked(row, query.status))), count: items.length, total, ...page };
    },
    async deliveries(query) {
      const page = clampPage(query);
      let rows = tables().selectFrom("outbox");
      if (query.trace_id !== undefined) rows = rows.where("trace_id", "=", query.trace_id);
      if (query.channel_id !== undefined) rows = rows.where("channel_id", "=", query.channel_id);
      if (query.status !== undefined) rows = rows.where("state", "=", query.status as DeliveryState);
      const [items, count] = await Promise.all([
        rows.selectAll().orderBy("position", "desc").limit(page.limit).offset(page.offset).execute(),
        rows.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirst(),
      ]);
      return { items: items.map(deliveryOf), total: Number(count?.count ?? 0), ...page };
    },
    async trace(id) {
      await settled();
      const traceId = (await traceIdOf(id)) ?? id;
      const [rows, deliveries, items] = await Promise.all([
        ofTrace(traceId).execute(),
        tables()
          .selectFrom("outbox")
          .selectAll()
          .where("trace_id", "=", traceId)
          .orderBy("position")
          .limit(MOST_OF_A_TRACE)
          .execute(),
        tables().selectFrom("inbox").selectAll().where("trace_id", "=", traceId).execute(),
      ]);
      return traceOf(traceId, rows, deliveries.map(deliveryOf), items.map(queueItemOf));
    },
    async lookup(value) {
      refuseOff();
      await settled();
      const asked = await Promise.all([
        truth().lookup(
          lookupOf(
            KINDS.filter(({ isTruth }) => isTruth),
            value,
          ),
        ),
        history().lookup(
          lookupOf(
            KINDS.filter(({ isTruth }) => !isTruth),
            value,
          ),
        ),
      ]);
      const found = asked.flat().filter(({ count }) => Number(count) > 0);
      const counts = new Map(found.map(({ type, count }) => [type, Number(count)]));
      const matches = KINDS.flatMap(({ type, source }) => {
        const count = counts.get(type) ?? 0;
        return count > 0 ? [{ type, count, source }] : [];
      });
      const best = KINDS.find(({ type }) => counts.has(type));
      return {
        input: value,
        matches,
        best_guess: best ? { type: best.type, confidence: best.confidence } : { type: "unknown", confidence: 0 },
        next_tools: best ? [{ tool: best.tool, args: { [best.argument]: value } }] : [],
      };
    },
  };
}

interface Kind {
  readonly type: string;
  readonly confidence: number;
  readonly source: keyof TruthTables | keyof HistoryTables;
  readonly isTruth: boolean;
  readonly where: string;
  readonly tool: string;
  readonly argument: string;
}

const kind = (
  type: string,
  confidence: number,
  source: Kind["source"],
  where: string,
  tool = "gateway_query_trace",
  argument = "trace_id",
): Kind => ({ type, confidence, source, isTruth: source !== "gateway_logs", where, tool, argument });

/** What an identifier may be, the likeliest first (contract gateway §5). */
const KINDS: readonly Kind[] = [
  kind("trace_id", 0.95, "inbox", "trace_id = ?"),
  kind("queue_item_id", 0.9, "inbox", "id = ?"),
  kind("delivery_id", 0.88, "outbox", "id = ?"),
  kind("delivery_trace_id", 0.85, "outbox", "trace_id = ?"),
  kind("mcp_log_trace_id", 0.8, "gateway_logs", "trace_id = ? and source = 'mcp'"),
  kind("log_id", 0.75, "gateway_logs", "id = ? and source != 'mcp'"),
  kind("mcp_log_id", 0.7, "gateway_logs", "id = ? and source = 'mcp'"),
  kind("session_id", 0.65, "inbox", "session_id = ?", "web_get_session", "session_id"),
  kind("message_id", 0.6, "gateway_logs", "message_id = ?", "gateway_query_logs", "q"),
  kind("channel_id", 0.55, "gateway_logs", "channel_id = ?", "gateway_query_events", "channel_id"),
  kind("node_id", 0.5, "gateway_nodes", "node_id = ?", "gateway_get_node", "node_id"),
];

/** How many rows of each kind there are. One with very many is as certain as one with a thousand. */
function lookupOf(kinds: readonly Kind[], value: string) {
  const counted = kinds.map(
    ({ type, source, where }) =>
      `select '${type}' as type, count(*) as count from (select 1 from ${source} where ${where} limit 1000) as found`,
  );
  return fixedStatement<{ readonly type: string; readonly count: number }>(
    counted.join(" union all "),
    kinds.map(() => value),
  );
}

/**
 * Steps that are no rows of their own, by the row that proves them: what was received had been checked and read, and what
 * was queued had its key.
 */
const PROVEN_BY: Readonly<Record<string, string>> = { verified: "received", parsed: "received", deduped: "queued" };

function toldBy(status: string): string {
  return PROVEN_BY[status] ?? status;
}

/** A row as the step that was asked for. */
function asAsked(row: LogTable, status: string | undefined): LogTable {
  if (status === undefined || PROVEN_BY[status] !== row.status) return row;
  const [action, stage, level, type] = STATUSES[status] ?? [row.action, row.stage, row.level, row.type];
  return { ...row, status, action, stage, level, type };
}

function eventOf(row: LogTable): EventRecord {
  const { id, trace_id, type, status, stage, action, level, channel_id, conversation_id, user_id } = row;
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
    metadata: { message: row.message, ...JSON.parse(row.metadata) },
    created_at: row.created_at,
  };
}

function logOf(row: LogTable): LogRecord {
  return { ...row, node_id: "local", request_id: null, parent_id: null, metadata: JSON.parse(row.metadata) };
}

function deliveryOf(row: OutboxTable): DeliveryRecord {
  const message = JSON.parse(row.message) as OutboundMessage;
  const isWaiting = row.state === "failed" || row.state === "pending";
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
    next_retry_at: isWaiting && row.attempts > 0 ? iso(row.next_ms) : null,
    platform_message_id: row.platform_message_id,
    request: { text: message.text, attachments: message.attachments, reply_to: message.replyTo ?? null },
    response: row.quality === null ? null : { quality: row.quality, platform_message_id: row.platform_message_id },
    error: row.error ?? row.cause,
    created_at: iso(row.created_ms),
    updated_at: iso(row.updated_ms),
  };
}

/** The contract's names of the states a message goes through. */
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

/** Counts by our states as counts by the contract's. */
export function queueCounts(
  counts: Readonly<Partial<Record<InboxState, number>>>,
): Readonly<Record<QueueItemRecord["status"], number>> {
  const sums = { pending: 0, processing: 0, completed: 0, failed: 0, dead: 0 };
  for (const [state, count] of Object.entries(counts)) sums[QUEUE_STATES[state as InboxState]] += count;
  return sums;
}

function queueItemOf(row: InboxTable): QueueItemRecord {
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
    created_at: iso(row.received_ms),
    updated_at: iso(row.updated_ms),
    raw_event: raw ?? null,
    parsed,
  };
}

function traceOf(
  trace_id: string,
  rows: readonly LogTable[],
  deliveries: readonly DeliveryRecord[],
  queue_items: readonly QueueItemRecord[],
): TraceRecord {
  const told = rows.filter(({ source }) => source === "gateway").map(eventOf);
  const events = [...told, ...queue_items.flatMap((item) => untold(item, told))];
  const mcp_logs = rows.filter(({ source }) => source === "mcp").map(logOf);
  const logs = rows.filter(({ source }) => source !== "gateway" && source !== "mcp").map(logOf);
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

/** How a message ends, in the words of its events. */
const ENDED = new Set([
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

/** History is written behind: what a crash kept from being told is told from what is known. */
function untold(item: QueueItemRecord, told: readonly EventRecord[]): readonly EventRecord[] {
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
    metadata: { message: "told from the queue: the service ended before its history was written" },
    created_at,
  });
  const isOver = item.status === "completed" || item.status === "failed" || item.status === "dead";
  const isEndTold = told.some(({ status }) => ENDED.has(status));
  return [
    ...(told.some(({ status }) => status === "received") ? [] : [event("received", "receive_start", item.created_at)]),
    ...(isOver && !isEndTold ? [event(item.status, "", item.updated_at)] : []),
  ];
}

const NOTHING_FOUND = {
  reason: "nothing is stored under this id",
  possible_causes: [
    "the id is mistyped or cut off",
    "the record is older than 30 days and was deleted",
    "the message was refused before it was stored; its sender was told so",
  ],
  next_step:
    "ask /api/gateway/logs/lookup/<value> what kind of id it is, or look at /api/gateway/events for the time in question",
};

function iso(ms: number): string {
  return new Date(Number(ms)).toISOString();
}
