import { AppError, type Database, type ToolAudit } from "@parley/core";
import { type Kysely, sql } from "kysely";
import { eventOf, type LogRow, logRowOf, toolLogRowOf } from "./mcp-tools-log-rows.ts";
import type { DeliveryState, GatewayTables, InboxState, OutboxTable } from "./tables.ts";

const MAX_OF_TRACE = 1000;

export interface EventQuery {
  readonly channel_id?: string;
  readonly status?: string;
  readonly event_type?: string;
  readonly trace_id?: string;
  readonly level?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
  readonly offset: number;
}

export interface LogQuery extends Omit<EventQuery, "event_type"> {
  readonly source?: string;
  readonly type?: string;
  readonly tool_name?: string;
  readonly q?: string;
}

export interface DeliveryQuery {
  readonly trace_id?: string;
  readonly channel_id?: string;
  readonly status?: string;
  readonly limit: number;
  readonly offset: number;
}

export interface Found<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** What happened, as it was written down. */
export interface History {
  events(query: EventQuery): Promise<Found<ReturnType<typeof eventOf>>>;
  /** The gateway's rows and the calls of tools as one list, newest first. */
  logs(query: LogQuery): Promise<Found<LogRow>>;
  deliveries(query: DeliveryQuery): Promise<Found<ShownDelivery>>;
  /** Everything under one trace id; at most 1,000 rows a list. */
  trace(traceId: string): Promise<TraceHistory>;
  counts(): Promise<Counts>;
}

export type ShownDelivery = ReturnType<typeof deliveryOf>;

export interface TraceHistory {
  readonly events: readonly ReturnType<typeof eventOf>[];
  readonly deliveries: readonly ShownDelivery[];
  readonly queue_items: readonly ReturnType<typeof queueItemOf>[];
  readonly mcp_logs: readonly LogRow[];
}

export interface Counts {
  readonly queue: { readonly [State in "pending" | "processing" | "completed" | "failed" | "dead"]: number };
  readonly deliveries: Readonly<Record<string, number>>;
  readonly events: number;
  readonly dedupe: number;
  readonly duplicates: number;
  readonly oldestPendingMs: number | null;
  readonly bytes: number;
}

export interface HistoryParts {
  readonly database: () => Database;
  readonly audit: () => ToolAudit | undefined;
  /** Resolves when what has happened so far is written. */
  readonly settled: () => Promise<void>;
  /** `[gateway] storage_enabled`. */
  readonly isKept: boolean;
}

export function createHistory({ database, audit, settled, isKept }: HistoryParts): History {
  const tables = (): Kysely<GatewayTables> => database().tables<GatewayTables>();
  const ready = async () => {
    await settled();
    if (!isKept) throw new AppError("unavailable", "history is switched off: [gateway] storage_enabled");
  };
  const logRows = ({ event_type, q, ...query }: LogQuery & { readonly event_type?: string }) => {
    const { channel_id, status, trace_id, level, since, until, source, type = event_type } = query;
    let found = tables().selectFrom("gateway_logs");
    for (const [column, value] of Object.entries({ channel_id, status, trace_id, level, source, type })) {
      if (value !== undefined) found = found.where(column as "status", "=", value);
    }
    if (since !== undefined) found = found.where("created_at", ">=", since);
    if (until !== undefined) found = found.where("created_at", "<=", until);
    if (q !== undefined) found = found.where(sql<boolean>`instr(message, ${q}) > 0`);
    return found;
  };
  const page = async (query: LogQuery & { readonly event_type?: string }, limit: number, offset: number) => {
    const found = logRows(query);
    const [rows, { total }] = await Promise.all([
      found.selectAll().orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).offset(offset).execute(),
      found.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
    ]);
    return { rows, total: Number(total) };
  };
  const toolCalls = async (query: LogQuery, limit: number): Promise<Found<LogRow>> => {
    const { source = "mcp", type = "mcp_tool", channel_id } = query;
    if (source !== "mcp" || type !== "mcp_tool" || channel_id !== undefined) return NONE;
    const { trace_id: traceId, tool_name: tool, status, since, until, q: text } = query;
    const given = { traceId, tool, status, since, until, text };
    const asked = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const { items, total } = (await audit()?.rows({ ...asked, limit, offset: 0 })) ?? NONE;
    const rows = items.map(toolLogRowOf);
    if (query.level === undefined) return { items: rows, total };
    const ofLevel = rows.filter(({ level }) => level === query.level);
    return { items: ofLevel, total: ofLevel.length };
  };

  return {
    async events(query) {
      await ready();
      const { rows, total } = await page({ ...query, source: "gateway" }, query.limit, query.offset);
      return { items: rows.map(eventOf), total };
    },
    async logs(query) {
      const { limit, offset, source, tool_name } = query;
      // The audit is kept also without history.
      if (source !== "mcp") await ready();
      const until = offset + limit;
      const calls = await toolCalls(query, until);
      const others = source === "mcp" || tool_name !== undefined ? NO_ROWS : await page(query, until, 0);
      const merged = [...others.rows.map(logRowOf), ...calls.items].sort(newestFirst);
      return { items: merged.slice(offset, until), total: others.total + calls.total };
    },
    async deliveries({ trace_id, channel_id, status, limit, offset }) {
      let found = tables().selectFrom("outbox");
      if (trace_id !== undefined) found = found.where("trace_id", "=", trace_id);
      if (channel_id !== undefined) found = found.where("channel_id", "=", channel_id);
      if (status !== undefined) found = found.where("state", "=", status as DeliveryState);
      const [rows, { total }] = await Promise.all([
        found.selectAll().orderBy("seq", "desc").limit(limit).offset(offset).execute(),
        found.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
      ]);
      return { items: rows.map(deliveryOf), total: Number(total) };
    },
    async trace(traceId) {
      await ready();
      const ofTrace = <Table extends "gateway_logs" | "outbox" | "inbox">(table: Table) =>
        tables()
          .selectFrom(table as "inbox")
          .where("trace_id", "=", traceId)
          .limit(MAX_OF_TRACE);
      const [logs, sent, items, calls] = await Promise.all([
        logRows({ trace_id: traceId, limit: 0, offset: 0 })
          .selectAll()
          .orderBy("created_at")
          .limit(MAX_OF_TRACE)
          .execute(),
        tables()
          .selectFrom("outbox")
          .selectAll()
          .where("trace_id", "=", traceId)
          .orderBy("seq")
          .limit(MAX_OF_TRACE)
          .execute(),
        ofTrace("inbox").select(ITEM_COLUMNS).execute(),
        audit()?.rows({ traceId, limit: MAX_OF_TRACE, offset: 0 }) ?? NONE,
      ]);
      return {
        events: logs.map(eventOf),
        deliveries: sent.map(deliveryOf),
        queue_items: items.map(queueItemOf),
        mcp_logs: calls.items.map(toolLogRowOf).reverse(),
      };
    },
    async counts() {
      const countOf = async (table: "gateway_logs" | "dedupe") => {
        const { count } = await tables()
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        return Number(count);
      };
      const byState = <Table extends "inbox" | "outbox">(table: Table) =>
        tables()
          .selectFrom(table as "inbox")
          .select(["state", ({ fn }) => fn.countAll<number>().as("count")])
          .groupBy("state")
          .execute();
      const [items, sent, events, dedupe, copies, oldest, bytes] = await Promise.all([
        byState("inbox"),
        byState("outbox"),
        countOf("gateway_logs"),
        countOf("dedupe"),
        tables()
          .selectFrom("dedupe")
          .select(({ fn }) => fn.sum<number>("hits").as("hits"))
          .executeTakeFirst(),
        tables()
          .selectFrom("inbox")
          .select(({ fn }) => fn.min("received_ms").as("ms"))
          .where("state", "=", "waiting")
          .executeTakeFirst(),
        database().size(),
      ]);
      return {
        queue: queueOf(items),
        deliveries: Object.fromEntries(sent.map(({ state, count }) => [state, Number(count)])),
        events,
        dedupe,
        duplicates: Number(copies?.hits ?? 0),
        oldestPendingMs: oldest?.ms ?? null,
        bytes,
      };
    },
  };
}

const NONE = { items: [], total: 0 } as const;
const NO_ROWS = { rows: [], total: 0 } as const;
const ITEM_COLUMNS = [
  "id",
  "trace_id",
  "channel_id",
  "session_id",
  "state",
  "cause",
  "runs",
  "received_ms",
  "updated_ms",
] as const;

const SHOWN_STATE: { readonly [State in InboxState]: keyof Counts["queue"] } = {
  waiting: "pending",
  running: "processing",
  done: "completed",
  ignored: "completed",
  stopped: "completed",
  expired: "completed",
  failed: "failed",
  dead: "dead",
};

function queueOf(rows: readonly { readonly state: InboxState; readonly count: number }[]): Counts["queue"] {
  const queue = { pending: 0, processing: 0, completed: 0, failed: 0, dead: 0 };
  for (const { state, count } of rows) queue[SHOWN_STATE[state]] += Number(count);
  return queue;
}

function deliveryOf(row: OutboxTable) {
  const { text, part, parts } = JSON.parse(row.message) as { text: string; part: number; parts: number };
  return {
    id: row.id,
    trace_id: row.trace_id,
    session_id: row.session_id,
    channel_id: row.channel_id,
    conversation_id: row.conversation_id,
    status: row.state,
    part,
    parts,
    content: text,
    attempts: row.attempts,
    next_retry_at: row.state === "pending" || row.state === "failed" ? iso(row.next_ms) : null,
    platform_message_id: row.platform_message_id,
    error: row.cause,
    created_at: iso(row.created_ms),
    updated_at: iso(row.updated_ms),
  };
}

function queueItemOf(row: {
  readonly id: string;
  readonly trace_id: string;
  readonly channel_id: string;
  readonly session_id: string;
  readonly state: InboxState;
  readonly cause: string | null;
  readonly runs: number;
  readonly received_ms: number;
  readonly updated_ms: number;
}) {
  return {
    item_id: row.id,
    trace_id: row.trace_id,
    channel_id: row.channel_id,
    session_id: row.session_id,
    status: SHOWN_STATE[row.state],
    attempt: row.runs,
    error: row.cause,
    created_at: iso(row.received_ms),
    updated_at: iso(row.updated_ms),
  };
}

function newestFirst(a: LogRow, b: LogRow): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
