import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import {
  type Clock,
  contains,
  type Database,
  type ErrorDetail,
  findLogDetail,
  type LogFeed,
  type LogRow,
  type Migration,
  newId,
  type Redaction,
  searchLogTexts,
} from "@parley/core";
import { type List, mapItems, type Page } from "@parley/core/http";
import { maskSecrets } from "@parley/core/secrets";
import { readPage } from "@parley/core/storage";
import type { Kysely, SelectQueryBuilder } from "kysely";

const FLUSH_EVERY_MS = 250;
const MAX_WAITING = 5_000;
const MAX_ROWS = 50_000;
const READ_BATCH_SIZE = 1_000;
/** Maximum number of search texts, because each is searched in every line. */
const MAX_SEARCH_PARTS = 50;
const MAX_MESSAGE_CHARS = 4_000;
const MAX_CONTEXT_CHARS = 8 * 1024;
const FILE_NAME = /^parley-\d{4}-\d{2}-\d{2}\.log$/;
const DAY_MS = 86_400_000;
export const LEVELS = ["debug", "info", "warning", "error"] as const;
export type LogLevel = (typeof LEVELS)[number];

/** A log line in the form of `/api/logs`. */
export interface StoredLog {
  readonly id: string;
  readonly time: string;
  readonly level: LogLevel;
  readonly source: string;
  readonly message: string;
  readonly message_detail: ErrorDetail | null;
  readonly important: boolean;
  readonly trace_id: string | null;
  readonly context: Readonly<Record<string, unknown>>;
}

export interface LogFilter {
  readonly level: "all" | LogLevel;
  readonly min_level?: LogLevel;
  readonly source?: string;
  readonly q?: string;
  /** Substrings of messages, one per line; rows with any of them are found in addition to those of `q`. */
  readonly says?: string;
  /** The reader's language: messages whose text in it contains `q` are found too. Default English. */
  readonly language?: string;
  readonly trace_id?: string;
  readonly since?: string;
  readonly until?: string;
}

export interface LogQuery extends LogFilter, Page {}

interface LogTable {
  readonly id: string;
  readonly time: string;
  readonly level: number;
  readonly source: string;
  readonly message: string;
  readonly trace_id: string | null;
  readonly context: string;
}
type Tables = { readonly logs: LogTable };

export const LOG_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-logs",
    async up(db) {
      await db.schema
        .createTable("logs")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("time", "text", (column) => column.notNull())
        .addColumn("level", "integer", (column) => column.notNull())
        .addColumn("source", "text", (column) => column.notNull())
        .addColumn("message", "text", (column) => column.notNull())
        .addColumn("trace_id", "text")
        .addColumn("context", "text", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("logs_time").on("logs").columns(["time", "id"]).execute();
      await db.schema.createIndex("logs_trace").on("logs").column("trace_id").execute();
    },
  },
];

/** The newest 50,000 log lines as rows, and the daily files. */
export interface LogStore {
  /** Adds a line, which is stored with others a short time later. */
  add(row: LogRow): void;
  /** Stores a row at once, with secrets masked. */
  write(row: LogRow): Promise<StoredLog>;
  list(query: LogQuery): Promise<List<StoredLog>>;
  /** Yields all rows of a filter as JSON lines, newest first, without rows written meanwhile. */
  streamLines(filter: LogFilter): AsyncIterable<string>;
  clear(before: string | undefined, by: string): Promise<{ readonly deleted: number }>;
  removeFiles(
    olderThanDays: number,
    dryRun: boolean,
  ): Promise<{ readonly removed_files: number; readonly freed_bytes: number; readonly files: readonly string[] }>;
  /** Stores all waiting lines; the last call before the end makes sure that none is lost. */
  flush(): Promise<void>;
  /** Returns the number of lines that were not stored, because they came too fast or storing failed. */
  getDroppedCount(): number;
}

export interface LogStoreDeps {
  readonly database: () => Database;
  readonly folder: string;
  readonly clock: Clock;
  readonly redaction: Redaction;
  readonly feed: () => Pick<LogFeed, "toFile">;
}

export function createLogStore({ database, folder, clock, redaction, feed }: LogStoreDeps): LogStore {
  const waiting: StoredLog[] = [];
  let timer: NodeJS.Timeout | undefined;
  let dropped = 0;
  let rowsSinceTrim = 0;
  let storing = Promise.resolve();
  let isStoring = false;
  const tables = (): Kysely<Tables> => database().tables<Tables>();

  const store = async (rows: readonly StoredLog[]) => {
    // The number of values in one statement is limited.
    for (let at = 0; at < rows.length; at += 200) {
      const values = rows.slice(at, at + 200).map(toTable);
      await database().write([{ query: tables().insertInto("logs").values(values) }]);
    }
    rowsSinceTrim += rows.length;
    if (rowsSinceTrim < 1_000) return;
    rowsSinceTrim = 0;
    const oldest = tables()
      .selectFrom("logs")
      .select("id")
      .orderBy("time", "desc")
      .orderBy("id", "desc")
      .limit(1)
      .offset(MAX_ROWS);
    const first = await oldest.executeTakeFirst();
    if (first) await database().write([{ query: tables().deleteFrom("logs").where("id", "<=", first.id) }]);
  };
  const storeWaiting = async () => {
    const rows = waiting.splice(0);
    if (rows.length === 0) return;
    isStoring = true;
    // A log that cannot be stored must not be logged about: the lines are on stderr and in the file.
    await store(rows).catch(() => {
      dropped += rows.length;
    });
    isStoring = false;
    if (waiting.length > 0) scheduleFlush();
  };
  // Writes one batch at a time: lines wait in the bounded list while a slow disk writes.
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    storing = storing.then(storeWaiting);
    return storing;
  };
  const scheduleFlush = () => {
    timer ??= setTimeout(() => void flush(), FLUSH_EVERY_MS);
  };
  const toStored = (row: LogRow): StoredLog => ({
    id: newId("log", clock.now()),
    time: row.time,
    level: row.level,
    source: row.source,
    message: row.message.slice(0, MAX_MESSAGE_CHARS),
    message_detail: findLogDetail(row.message) ?? null,
    important: row.level === "warning" || row.level === "error",
    trace_id: row.traceId ?? null,
    context: truncateContext(row.context),
  });

  const buildQuery = (query: LogFilter) => {
    let rows = tables().selectFrom("logs");
    if (query.level !== "all") rows = rows.where("level", "=", LEVELS.indexOf(query.level));
    if (query.min_level) rows = rows.where("level", ">=", LEVELS.indexOf(query.min_level));
    if (query.source) rows = rows.where("source", "=", query.source);
    if (query.trace_id) rows = rows.where("trace_id", "=", query.trace_id);
    if (query.since) rows = rows.where("time", ">=", toUtc(query.since));
    if (query.until) rows = rows.where("time", "<", toUtc(query.until));
    const { q, says = "", language = "en" } = query;
    const translated = q && language !== "en" ? searchLogTexts(q, language) : [];
    const lines = [...says.split("\n").filter((part) => part !== ""), ...translated];
    if (!q && lines.length === 0) return rows;
    const parts = [...(q ? [q] : []), ...lines.slice(0, MAX_SEARCH_PARTS)];
    return rows.where((is) =>
      is.or([...parts.map((part) => contains("message", part)), ...(q ? [contains("context", q)] : [])]),
    );
  };

  return {
    add(row) {
      if (waiting.length >= MAX_WAITING) {
        dropped += 1;
        return;
      }
      waiting.push(toStored(row));
      if (!isStoring) scheduleFlush();
    },
    async write(row) {
      const masked = maskSecrets(row, redaction);
      const stored = toStored(masked);
      await store([stored]);
      feed().toFile(masked);
      return stored;
    },
    async list(query) {
      await flush();
      return mapItems(await readPage(buildQuery(query), query, sortNewestFirst), fromTable);
    },
    async *streamLines(filter) {
      await flush();
      let last: LogTable | undefined;
      for (;;) {
        const { time, id } = last ?? {};
        const rest = sortNewestFirst(buildQuery(filter)).$if(time !== undefined, (rows) =>
          rows.where((is) =>
            is.or([is("time", "<", String(time)), is.and([is("time", "=", String(time)), is("id", "<", String(id))])]),
          ),
        );
        const rows = await rest.limit(READ_BATCH_SIZE).execute();
        yield rows.map(toLine).join("");
        if (rows.length < READ_BATCH_SIZE) return;
        last = rows.at(-1);
      }
    },
    async clear(before, by) {
      await flush();
      let query = tables().deleteFrom("logs");
      if (before) query = query.where("time", "<", toUtc(before));
      const [result] = await database().write([{ query }]);
      const message = "the log was cleared";
      const time = new Date(clock.now()).toISOString();
      await store([
        toStored({
          time,
          level: "info",
          source: "operations",
          message,
          context: { by, ...(before && { before: toUtc(before) }) },
        }),
      ]);
      return { deleted: result?.changes ?? 0 };
    },
    async removeFiles(olderThanDays, dryRun) {
      const limit = new Date(clock.now() - olderThanDays * DAY_MS).toISOString().slice(0, 10);
      const today = new Date(clock.now()).toISOString().slice(0, 10);
      const names = (await readdir(folder).catch(() => []))
        .filter((name) => FILE_NAME.test(name))
        .filter((name) => name.slice(7, 17) <= limit && name.slice(7, 17) !== today)
        .sort();
      const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
      if (!dryRun) for (const name of names) await unlink(join(folder, name));
      return { removed_files: names.length, freed_bytes: sizes.reduce((sum, size) => sum + size, 0), files: names };
    },
    flush,
    getDroppedCount: () => dropped,
  };
}

function sortNewestFirst(rows: SelectQueryBuilder<Tables, "logs", object>) {
  return rows.selectAll().orderBy("time", "desc").orderBy("id", "desc");
}

function toTable({ level, context, important: _important, message_detail: _detail, ...row }: StoredLog): LogTable {
  return { ...row, level: LEVELS.indexOf(level), context: JSON.stringify(context) };
}

function fromTable({ level, context, ...row }: LogTable): StoredLog {
  const name = LEVELS[level] ?? "info";
  return {
    ...row,
    message_detail: findLogDetail(row.message) ?? null,
    level: name,
    important: name === "warning" || name === "error",
    context: JSON.parse(context),
  };
}

/** Formats a line of a download, which is English, as the log file is. */
function toLine(row: LogTable): string {
  const { message_detail: _detail, ...line } = fromTable(row);
  return `${JSON.stringify(line)}\n`;
}

function truncateContext(context: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(context) ?? "{}";
  return text.length <= MAX_CONTEXT_CHARS ? JSON.parse(text) : { cut: text.slice(0, MAX_CONTEXT_CHARS - 20) };
}

function toUtc(time: string): string {
  return new Date(time).toISOString();
}
