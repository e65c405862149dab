import { randomInt } from "node:crypto";
import type { Clock, GatewayLogEntry, LiveEvent, LiveEvents, Logger, Redaction } from "@parley/core";
import type { HistoryStore } from "../store/history/history.ts";
import { LOG_COLUMNS } from "../store/history/log-rows.ts";
import type { LogTable, TurnRecordTable } from "../store/tables.ts";
import { readMetadata, toMetadataJson } from "./row-metadata.ts";

const FLUSH_EVERY_MS = 100;
const MAX_WAITING = 5_000;
const MAX_TEXT_CHARS = 2_000;

export const LEVELS = ["debug", "info", "warning", "error"] as const;
export const SOURCES = ["gateway", "mcp", "web"] as const;

/** Action, stage, level and type of a log entry, by its status. */
export const STATUSES: Readonly<Record<string, readonly [action: string, stage: string, level: string, type: string]>> =
  {
    auth_failed: ["verify", "auth_failed", "warning", "security"],
    unknown_channel: ["route", "route_failed", "warning", "receive"],
    disabled_channel: ["route", "route_failed", "warning", "receive"],
    parse_failed: ["parse", "parse_failed", "error", "receive"],
    verified: ["verify", "auth_passed", "info", "security"],
    missing_parser: ["route", "route_failed", "warning", "receive"],
    parsed: ["parse", "parsed", "info", "receive"],
    deduped: ["dedupe", "deduped", "info", "receive"],
    received: ["receive", "receive_start", "info", "receive"],
    ignored: ["parse", "ignored", "info", "receive"],
    duplicated: ["dedupe", "dedupe_hit", "info", "receive"],
    queued: ["queue", "queued", "info", "receive"],
    rate_limited: ["rate_limit", "rate_limited", "warning", "security"],
    queue_full: ["queue", "queue_failed", "error", "receive"],
    dispatched: ["dispatch", "dispatched", "info", "message"],
    build_request_failed: ["dispatch", "build_failed", "error", "message"],
    dispatch_failed: ["dispatch", "dispatch_failed", "error", "message"],
    model_selected: ["dispatch", "dispatched", "info", "model"],
    model_failover: ["dispatch", "dispatched", "warning", "model"],
    filtered: ["filter", "filter", "info", "filter"],
    delivering: ["deliver", "delivering", "info", "delivery"],
    delivered: ["deliver", "completed", "info", "delivery"],
    built: ["deliver", "completed", "info", "delivery"],
    no_sender: ["deliver", "completed", "info", "delivery"],
    unknown_after_send: ["deliver", "delivery_unknown", "warning", "delivery"],
    delivery_failed: ["deliver", "delivery_failed", "error", "delivery"],
    partial_failed: ["deliver", "delivery_failed", "error", "delivery"],
    cancelled: ["deliver", "cancelled", "info", "delivery"],
    retried: ["deliver", "retried", "info", "delivery"],
    discarded: ["deliver", "discarded", "info", "delivery"],
    overload: ["event", "overload", "warning", "message"],
    completed: ["event", "", "info", "message"],
    stopped: ["event", "", "info", "message"],
    failed: ["event", "failed", "error", "message"],
    dead: ["event", "failed", "error", "message"],
    expired: ["event", "failed", "error", "message"],
  };

export interface LogEntry extends Pick<GatewayLogEntry, "message" | "detail" | "error" | "metadata"> {
  readonly traceId: string;
  readonly status: string;
  readonly channelId?: string;
  readonly conversationId?: string;
  readonly userId?: string;
  /** The platform's id of the message. */
  readonly messageId?: string;
  readonly deliveryId?: string;
  readonly itemId?: string;
  /** Fields that a plugin sets for its entry; the default of each follows from the status. */
  readonly overrides?: Partial<Pick<GatewayLogEntry, "source" | "type" | "level" | "action" | "toolName">>;
}

/** The history of the gateway: log entries of each message and recordings of turns, written in batches. */
export interface EventLog {
  /** Publishes an entry as a live event and, if the history is enabled, adds it to the next batch; it is dropped and counted when too many wait. */
  add(entry: LogEntry): void;
  /** Stores the recording of a turn with the next batch. */
  record(row: TurnRecordTable): void;
  /** Resolves when everything that was added before is written or dropped. */
  flush(): Promise<void>;
  /** Returns the number of entries and recordings that were dropped since the start. */
  getDroppedCount(): number;
  /** Returns the number of entries that were written since the start. */
  getWrittenCount(): number;
}

export interface EventLogDeps {
  readonly store: () => Pick<HistoryStore, "write">;
  readonly events: LiveEvents;
  readonly redaction: Redaction;
  readonly clock: Clock;
  readonly log: Logger;
  /** The setting `[gateway] storage_enabled`. */
  readonly isHistoryEnabled: boolean;
}

export function createEventLog(deps: EventLogDeps): EventLog {
  const { events, redaction, clock, isHistoryEnabled } = deps;
  const { write, ...writer } = createLogWriter(deps);
  return {
    ...writer,
    add(entry) {
      const atMs = clock.now();
      const added = { entry, atMs, id: createLogId(atMs) };
      events.publish(toLiveEvent(added, redaction));
      if (isHistoryEnabled) write(added);
    },
  };
}

/** A log entry with its id and time, as it waits to be written: it becomes a row only then. */
interface AddedEntry {
  readonly entry: LogEntry;
  readonly atMs: number;
  readonly id: string;
}

/** Creates a writer that collects entries for a short time and writes them together. */
function createLogWriter({ store, log, redaction }: Pick<EventLogDeps, "store" | "log" | "redaction">) {
  const waiting: AddedEntry[] = [];
  const records: TurnRecordTable[] = [];
  const counts = { dropped: 0, written: 0 };
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const writeAll = async () => {
    while (waiting.length + records.length > 0) {
      const entries = waiting.splice(0, 200);
      const recordings = records.splice(0, 100);
      try {
        await store().write(entries.length === 0 ? undefined : toRowsJson(entries, redaction), recordings);
        counts.written += entries.length;
      } catch (error) {
        // A failed log write never fails a turn.
        counts.dropped += entries.length + recordings.length;
        log.warn("history could not be written", { rows: entries.length, recordings: recordings.length, error });
      }
    }
  };
  // A flush also waits for a write that is running.
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll);
    return writing;
  };
  const flushSoon = () => {
    timer ??= setTimeout(() => void flush(), FLUSH_EVERY_MS);
  };
  return { ...createLogQueue(waiting, records, counts, flushSoon), flush };
}

/** Creates the write queue of the log. Entries and recordings beyond `MAX_WAITING` are dropped and counted. */
function createLogQueue(
  waiting: AddedEntry[],
  records: TurnRecordTable[],
  counts: { dropped: number; written: number },
  flushSoon: () => void,
) {
  const addTo =
    <Item>(queue: Item[]) =>
    (item: Item) => {
      if (queue.length >= MAX_WAITING) {
        counts.dropped += 1;
        return;
      }
      queue.push(item);
      flushSoon();
    };
  return {
    write: addTo(waiting),
    record: addTo(records),
    getDroppedCount: () => counts.dropped,
    getWrittenCount: () => counts.written,
  };
}

/** Converts an entry to a live event. The payload is built only when it is read, since mostly nobody listens. */
function toLiveEvent(added: AddedEntry, redaction: Redaction): LiveEvent {
  return {
    type: "gateway_event",
    durable: false,
    get payload() {
      const row = toLogRow(added, redaction);
      const { type: event_type, ...rest } = row;
      return { ...rest, event_type, ...readMetadata(row) };
    },
  };
}

/** Returns the entries as JSON, each a list of the values of `LOG_COLUMNS`. */
function toRowsJson(entries: readonly AddedEntry[], redaction: Redaction): string {
  const rows = entries.map((added) => toLogRow(added, redaction));
  return JSON.stringify(rows.map((row) => LOG_COLUMNS.map((column) => row[column])));
}

function toLogRow({ entry, atMs, id }: AddedEntry, redaction: Redaction): LogTable {
  const { overrides } = entry;
  const [action, stage, level, type] = STATUSES[entry.status] ?? ["event", "", "info", "message"];
  const text = (value: string) => redaction.mask(value).slice(0, MAX_TEXT_CHARS);
  return {
    id,
    trace_id: entry.traceId,
    source: overrides?.source ?? "gateway",
    type: overrides?.type ?? type,
    level: overrides?.level ?? level,
    stage: overrides?.action === undefined ? stage : "",
    action: overrides?.action ?? action,
    status: entry.status,
    message: text(entry.message),
    channel_id: entry.channelId ?? null,
    conversation_id: entry.conversationId ?? null,
    user_id: entry.userId ?? null,
    message_id: entry.messageId ?? null,
    tool_name: overrides?.toolName ?? null,
    delivery_id: entry.deliveryId ?? null,
    queue_item_id: entry.itemId ?? null,
    error_code: entry.error?.code ?? null,
    error_message: entry.error ? text(entry.error.message) : null,
    metadata: toMetadataJson(entry, redaction),
    created_at: new Date(atMs).toISOString(),
  };
}

let lastMs = 0;
let sequence = randomInt(2 ** 20);

/**
 * Creates an id `log_<16 hex>` from the time and a sequence with a random start. Ids increase, so that consecutive rows
 * are adjacent in the index.
 */
function createLogId(nowMs: number): string {
  sequence = (sequence + 1) % 2 ** 20;
  // If the clock is set back, the last time is used again, so that no id repeats.
  lastMs = Math.max(lastMs, nowMs);
  return `log_${lastMs.toString(16).padStart(11, "0")}${sequence.toString(16).padStart(5, "0")}`;
}
