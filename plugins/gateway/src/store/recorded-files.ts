import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AppError, type ReadRows } from "@parley/core";
import type { TurnRecordTable } from "../tables.ts";

const RECORD = "select trace_id, record, note from turn_record where trace_id = ?";
const RECEIVED = "select message from inbox where trace_id = ?";
const SENT = "select message from outbox where trace_id = ? order by position";

interface MessageRow {
  readonly message: string;
}

/** Reads recorded turns beside the running service, which holds the storage. */
export function recordedFiles(truth: string, history: string) {
  const read: ReadRows = (text, ...parameters) => rowsIn(truth, text, parameters);
  return {
    read,
    received: (traceId: string) => read<MessageRow>(RECEIVED, traceId)[0]?.message,
    record: (traceId: string) => rowsIn<TurnRecordTable>(history, RECORD, [traceId])[0],
    sent: (traceId: string) => read<MessageRow>(SENT, traceId).map(({ message }) => message),
  };
}

function rowsIn<Row>(file: string, query: string, parameters: readonly (string | number)[]): readonly Row[] {
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return database.prepare(query).all(...parameters) as unknown as readonly Row[];
  } catch (error) {
    throw new AppError("unavailable", `${file} has no recorded turns: ${(error as Error).message}`, { cause: error });
  } finally {
    database.close();
  }
}
