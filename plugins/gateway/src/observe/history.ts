import { notFound, type Redaction, type UnansweredReason } from "@parley/core";
import { type List, mapItems, type Page } from "@parley/core/http";
import type { DeliveryFilter, HistoryStore, LogFilter } from "../store/history/history.ts";
import { parseOutcome } from "../store/stored-outcome.ts";
import { toUnansweredReason } from "../turn/unanswered-reason.ts";
import {
  type DeliveryRecord,
  type EventRecord,
  type LogRecord,
  type TurnMessage,
  toDeliveryRecord,
  toEventRecord,
  toLogRecord,
  toQueueItemRecord,
  toRequestedStep,
  toStoredStatus,
  toTurnMessage,
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

export interface TraceEvents extends List<EventRecord> {
  readonly trace_id: string;
  readonly unanswered_reason: UnansweredReason | null;
  /** Trace id of the later message whose answer it shares; null for one with a turn of its own. */
  readonly answered_with: string | null;
  /** Messages that the turn answers, in order: earlier ones of the burst, and its own. */
  readonly messages: readonly TurnMessage[];
}

/** Reads the log. Every method rejects with `unavailable` when `[gateway] storage_enabled = false`. */
export interface History {
  events(query: EventQuery): Promise<List<EventRecord>>;
  /** Returns the events of a trace, oldest first, its messages, and why it has no answer. Rejects with `not_found` when there are none. */
  listTraceEvents(traceId: string, page: Page): Promise<TraceEvents>;
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
    const stored = { ...filter, ...(status !== undefined && { status: toStoredStatus(status) }) };
    return mapItems(await store.logs(stored, page), (row) => toRequestedStep(row, status));
  };
  return {
    async events({ event_type: type, ...query }) {
      const filter = { ...query, source: "gateway", ...(type !== undefined && { type }) };
      return mapItems(await logs(filter, query), toEventRecord);
    },
    async listTraceEvents(traceId, page) {
      await flush();
      const [rows, [item]] = await Promise.all([store.listTrace(traceId, page), store.listItems(traceId)]);
      if (rows.total === 0) throw notFound("trace", traceId);
      const unanswered_reason = item ? toUnansweredReason(item) : null;
      const answered_with = (item && parseOutcome(item)?.answeredWith) ?? null;
      const messages = redaction.mask((await store.listAnswered(traceId)).map(toTurnMessage));
      const about = { trace_id: traceId, unanswered_reason, answered_with, messages };
      return { ...about, ...mapItems(rows, toEventRecord) };
    },
    async logs(query) {
      const list = mapItems(await logs(query, query), toLogRecord);
      return { ...list, count: list.items.length };
    },
    async deliveries(query) {
      return mapItems(await store.deliveries(query, query), toDeliveryRecord);
    },
    async trace(id) {
      await flush();
      const traceId = (await store.findTraceId(id)) ?? id;
      const [rows, deliveries, items] = await Promise.all([
        store.readTrace(traceId),
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
