import { notFound, type Redaction } from "@parley/core";
import { clampPage, type List, type Page } from "@parley/core/http";
import type { DeliveryFilter, HistoryStore, LogFilter } from "../store/history/history.ts";
import {
  type DeliveryRecord,
  type EventRecord,
  type LogRecord,
  toDeliveryRecord,
  toEventRecord,
  toLogRecord,
  toQueueItemRecord,
  toRequestedStep,
  toStoredStatus,
} from "./history-records.ts";
import { type TraceRecord, toTraceRecord } from "./trace-record.ts";

export interface EventQuery extends Page, Omit<LogFilter, "source" | "type" | "tool_name" | "q"> {
  readonly event_type?: string;
}
export interface LogQuery extends Page, LogFilter {}
export interface DeliveryQuery extends Page, DeliveryFilter {}

export interface Lookup {
  readonly input: string;
  readonly matches: readonly { readonly type: string; readonly count: number; readonly source: string }[];
  readonly best_guess: { readonly type: string; readonly confidence: number };
  readonly next_tools: readonly { readonly tool: string; readonly args: Readonly<Record<string, string>> }[];
}

/** Reads the log. Every method rejects with `unavailable` when `[gateway] storage_enabled = false`. */
export interface History {
  events(query: EventQuery): Promise<List<EventRecord>>;
  /** Returns the events of a trace, oldest first. Rejects with `not_found` when there are none. */
  listTraceEvents(traceId: string, page: Page): Promise<List<EventRecord> & { readonly trace_id: string }>;
  logs(query: LogQuery): Promise<List<LogRecord> & { readonly count: number }>;
  deliveries(query: DeliveryQuery): Promise<List<DeliveryRecord>>;
  /** Returns a trace by its id or by the id of one of its rows. */
  trace(id: string): Promise<TraceRecord>;
  lookup(value: string): Promise<Lookup>;
}

export interface HistoryDeps {
  readonly store: HistoryStore;
  /** Resolves when all entries that were added before are written. */
  readonly flush: () => Promise<void>;
  readonly redaction: Pick<Redaction, "mask">;
}

export function createHistory({ store, flush, redaction }: HistoryDeps): History {
  /** Returns the rows that match a filter. A step without rows is found by the status that implies it. */
  const logs = async (filter: LogFilter, page: Page) => {
    await flush();
    const { status } = filter;
    const { items, total } = await store.logs(
      { ...filter, ...(status !== undefined && { status: toStoredStatus(status) }) },
      page,
    );
    return { rows: items.map((row) => toRequestedStep(row, status)), total };
  };
  return {
    async events({ event_type: type, ...query }) {
      const page = clampPage(query);
      const { rows, total } = await logs({ ...query, source: "gateway", ...(type !== undefined && { type }) }, page);
      return { items: rows.map(toEventRecord), total, ...page };
    },
    async listTraceEvents(traceId, pageQuery) {
      await flush();
      const page = clampPage(pageQuery);
      const { items, total } = await store.listTrace(traceId, page);
      if (total === 0) throw notFound("trace", traceId);
      return { trace_id: traceId, items: items.map(toEventRecord), total, ...page };
    },
    async logs(query) {
      const page = clampPage(query);
      const { rows, total } = await logs(query, page);
      return { items: rows.map(toLogRecord), count: rows.length, total, ...page };
    },
    async deliveries(query) {
      const page = clampPage(query);
      const { items, total } = await store.deliveries(query, page);
      return { items: items.map(toDeliveryRecord), total, ...page };
    },
    async trace(id) {
      await flush();
      const traceId = (await store.findTraceId(id)) ?? id;
      const [{ items: rows }, deliveries, items] = await Promise.all([
        store.listTrace(traceId),
        store.listDeliveries(traceId),
        store.listItems(traceId),
      ]);
      // Known secrets are masked, as in logs.
      const [maskedDeliveries, maskedItems] = redaction.mask([
        deliveries.map(toDeliveryRecord),
        items.map(toQueueItemRecord),
      ] as const);
      return toTraceRecord(traceId, rows, maskedDeliveries, maskedItems);
    },
    async lookup(value) {
      await flush();
      const found = await store.identify(value);
      const [best] = found;
      return {
        input: value,
        matches: found.map(({ type, count, source }) => ({ type, count, source })),
        best_guess: best ? { type: best.type, confidence: best.confidence } : { type: "unknown", confidence: 0 },
        next_tools: best ? [{ tool: best.tool, args: { [best.argument]: value } }] : [],
      };
    },
  };
}
