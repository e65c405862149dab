import { type Database, fixedStatement, type Write } from "@parley/core";
import { isPostgres } from "@parley/core/storage";
import type { LogTable } from "../tables.ts";

export const LOG_COLUMNS = [
  "id",
  "trace_id",
  "source",
  "type",
  "level",
  "stage",
  "action",
  "status",
  "message",
  "channel_id",
  "conversation_id",
  "user_id",
  "message_id",
  "tool_name",
  "delivery_id",
  "queue_item_id",
  "error_code",
  "error_message",
  "metadata",
  "created_at",
] as const satisfies readonly (keyof LogTable)[];

/** Returns the statement that inserts rows from JSON, where `row` is the expression of one of them. */
function createInsertSql(row: string, from: string): string {
  const values = LOG_COLUMNS.map((_, at) => `${row} ->> ${at}`);
  // Ids may repeat after a restart with the clock set back.
  return `insert into gateway_logs (${LOG_COLUMNS.join(", ")}) select ${values.join(", ")} from ${from} on conflict (id) do nothing`;
}

// "where true" tells SQLite that "on" does not belong to a join.
const SQLITE_INSERT = createInsertSql("one.value", "json_each(?) as one where true");
const POSTGRES_INSERT = createInsertSql("one.value", "json_array_elements(cast(? as json)) as one(value)");

/** Inserts log rows: a JSON list of rows, each a list of the values of `LOG_COLUMNS`. */
export function insertLogRows(history: Database, rows: string): Write {
  return { query: fixedStatement(isPostgres(history) ? POSTGRES_INSERT : SQLITE_INSERT, [toUnicode(rows)]) };
}

/** Half characters and the character NUL, as JSON writes them; PostgreSQL reads no text with one. */
const UNREADABLE = /\\u(?:0000|d[89a-f]..)/;

function toUnicode(rows: string): string {
  if (!UNREADABLE.test(rows)) return rows;
  const clean = (_: string, value: unknown) =>
    typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : value;
  return JSON.stringify(JSON.parse(rows), clean);
}
