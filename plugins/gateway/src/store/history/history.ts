import { contains, type Database, fixedStatement } from "@parley/core";
import type { List, Page } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import type { Kysely, SelectQueryBuilder } from "kysely";
import { gatewayTexts } from "../../texts.ts";
import { getTables } from "../statement.ts";
import { parseOutcome } from "../stored-outcome.ts";
import type {
  DeliveryState,
  HistoryTables,
  InboxTable,
  LogTable,
  MainTables,
  OutboxTable,
  TurnRecordTable,
} from "../tables.ts";
import { type IdentifierKind, type IdentifierMatch, identify } from "./identifiers.ts";
import { insertLogRows } from "./log-rows.ts";

const MAX_TRACE_ROWS = 1_000;

export interface LogFilter {
  readonly source?: string;
  readonly type?: string;
  readonly level?: string;
  readonly status?: string;
  readonly tool_name?: string;
  readonly trace_id?: string;
  readonly channel_id?: string;
  /** Beginning of the period, ISO 8601 UTC. `until` is exclusive. */
  readonly since?: string;
  readonly until?: string;
  readonly q?: string;
}

export interface DeliveryFilter {
  readonly trace_id?: string;
  readonly channel_id?: string;
  readonly session_id?: string;
  /** One status or several. */
  readonly status?: string | readonly string[];
}

/** The event log with its deliveries and recordings. Reads reject with `unavailable` when it is disabled. */
export interface HistoryStore {
  /** Writes log rows, as JSON in the form of `insertLogRows`, and turn recordings. */
  write(logs: string | undefined, records: readonly TurnRecordTable[]): Promise<void>;
  /** Returns the size of the history database in bytes; 0 when the history is disabled. */
  size(): Promise<number>;
  /** Returns matching log rows, newest first. */
  logs(filter: LogFilter, page: Page): Promise<List<LogTable>>;
  /** Returns the log rows of a trace, oldest first. */
  listTrace(traceId: string, page: Page): Promise<List<LogTable>>;
  /** Returns the first log rows of a trace, oldest first. */
  readTrace(traceId: string): Promise<readonly LogTable[]>;
  deliveries(filter: DeliveryFilter, page: Page): Promise<List<OutboxTable>>;
  listDeliveries(traceId: string): Promise<readonly OutboxTable[]>;
  listItems(traceId: string): Promise<readonly InboxTable[]>;
  /** Returns the messages that the turn of a trace answered, in order: those that share the answer, and its own. */
  listAnswered(traceId: string): Promise<readonly InboxTable[]>;
  /** Returns the trace that the row with this id belongs to. An id of another kind is returned unchanged. */
  findTraceId(id: string): Promise<string | undefined>;
  /** Returns the possible kinds of an identifier, the most likely first. */
  identify(value: string): Promise<readonly (IdentifierKind & IdentifierMatch)[]>;
}

const INSERT_RECORD = `insert into turn_record (trace_id, record, note) values (?, ?, ?)
  on conflict (trace_id) do update set record = excluded.record, note = excluded.note`;
const EQUAL_COLUMNS = ["source", "type", "level", "status", "tool_name", "trace_id", "channel_id"] as const;

type Logs = SelectQueryBuilder<HistoryTables, "gateway_logs", object>;

export interface HistoryStoreDeps {
  readonly main: () => Database;
  readonly history: () => Database | undefined;
}

export function createHistoryStore({ main, history: findHistory }: HistoryStoreDeps): HistoryStore {
  const history = (): Database => {
    const found = findHistory();
    if (found) return found;
    throw gatewayTexts.error("unavailable", "no_history");
  };
  const logs = (): Logs => history().tables<HistoryTables>().selectFrom("gateway_logs");
  const selectTrace = (traceId: string) => logs().where("trace_id", "=", traceId);
  const tables = (): Kysely<MainTables> => {
    history();
    return getTables(main);
  };
  return {
    async write(rows, records) {
      await history().write([
        ...(rows === undefined ? [] : [insertLogRows(history(), rows)]),
        ...records.map(({ trace_id, record, note }) => ({
          query: fixedStatement(INSERT_RECORD, [trace_id, record, note]),
        })),
      ]);
    },
    size: async () => (await findHistory()?.size()) ?? 0,
    async logs(filter, page) {
      return readPage(applyFilter(logs(), filter), page, (rows) =>
        rows.selectAll().orderBy("created_at", "desc").orderBy("id", "desc"),
      );
    },
    async listTrace(traceId, page) {
      return readPage(selectTrace(traceId), page, sortOldestFirst);
    },
    readTrace: async (traceId) => sortOldestFirst(selectTrace(traceId)).limit(MAX_TRACE_ROWS).execute(),
    async deliveries({ trace_id, channel_id, session_id, status }, page) {
      let rows = tables().selectFrom("outbox");
      if (trace_id !== undefined) rows = rows.where("trace_id", "=", trace_id);
      if (channel_id !== undefined) rows = rows.where("channel_id", "=", channel_id);
      if (session_id !== undefined) rows = rows.where("session_id", "=", session_id);
      if (status !== undefined) rows = rows.where("state", "in", [status].flat() as DeliveryState[]);
      return readPage(rows, page, (all) => all.selectAll().orderBy("position", "desc"));
    },
    // The function is async so that an error rejects only this promise.
    listDeliveries: async (traceId) =>
      tables()
        .selectFrom("outbox")
        .selectAll()
        .where("trace_id", "=", traceId)
        .orderBy("position")
        .limit(MAX_TRACE_ROWS)
        .execute(),
    listItems: async (traceId) => tables().selectFrom("inbox").selectAll().where("trace_id", "=", traceId).execute(),
    async listAnswered(traceId) {
      const own = await tables().selectFrom("inbox").selectAll().where("trace_id", "=", traceId).execute();
      const earlier = own.flatMap((row) => parseOutcome(row)?.answeredTraceIds ?? []);
      if (earlier.length === 0) return own;
      const rows = await tables().selectFrom("inbox").selectAll().where("trace_id", "in", earlier).execute();
      return [...rows, ...own].toSorted((one, other) => Number(one.position) - Number(other.position));
    },
    async findTraceId(id) {
      const historyId = id.startsWith("event-") ? id.slice("event-".length) : id;
      if (!/^(log|dlv|qi)_/.test(historyId)) return id;
      const rows = historyId.startsWith("log_")
        ? logs().select("trace_id").where("id", "=", historyId)
        : tables()
            .selectFrom(historyId.startsWith("dlv_") ? "outbox" : "inbox")
            .select("trace_id")
            .where("id", "=", historyId);
      return (await rows.executeTakeFirst())?.trace_id;
    },
    identify: (value) => identify(value, { main: main(), history: history() }),
  };
}

function applyFilter(logs: Logs, { since, until, q, ...filter }: LogFilter): Logs {
  let rows = logs;
  for (const name of EQUAL_COLUMNS) {
    const value = filter[name];
    if (value !== undefined) rows = rows.where(name, "=", value);
  }
  if (since !== undefined) rows = rows.where("created_at", ">=", since);
  if (until !== undefined) rows = rows.where("created_at", "<", until);
  return q === undefined ? rows : rows.where(contains("message", q));
}

function sortOldestFirst(rows: Logs) {
  return rows.selectAll().orderBy("created_at").orderBy("id");
}
