import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AppError, type Databases, fixedStatement, type ReadRows } from "@parley/core";
import type { TurnRecordTable } from "../tables.ts";

const HISTORY = "turn_record";
const RECORD = "select trace_id, record, note from turn_record where trace_id = ?";
const RECEIVED = "select message from inbox where trace_id = ?";
const SENT = "select message from outbox where trace_id = ? order by position";

type Parameters = readonly (string | number)[];
type ReadAsync = <Row>(text: string, ...parameters: Parameters) => Promise<readonly Row[]>;

interface MessageRow {
  readonly message: string;
}

/** Reads recorded turns, also while the running service has the databases open. */
export interface RecordedTurns {
  /** Runs `ask` on rows of the main database and returns its result; it runs twice, first without rows to learn its queries. */
  withRows<T>(ask: (read: ReadRows) => T): Promise<T>;
  readInbound(traceId: string): Promise<string | undefined>;
  readRecord(traceId: string): Promise<TurnRecordTable | undefined>;
  readSent(traceId: string): Promise<readonly string[]>;
}

/** Opens the recordings in two files: the main database and the history. */
export function openRecordedFiles(mainFile: string, historyFile: string): RecordedTurns {
  return createRecordedTurns(
    async (text, ...parameters) => queryFile(mainFile, text, parameters),
    async (text, ...parameters) => queryFile(historyFile, text, parameters),
  );
}

/** Opens the recordings on a database server, where both databases are reachable. */
export function openRecordedRows({ main }: Databases): RecordedTurns {
  const read: ReadAsync = (text, ...parameters) => main.lookup(fixedStatement(text, parameters));
  const isThere = async () => (await main.tables().introspection.getTables()).some(({ name }) => name === HISTORY);
  // The tables are missing when the history was never enabled.
  return createRecordedTurns(read, async (text, ...parameters) => ((await isThere()) ? read(text, ...parameters) : []));
}

function createRecordedTurns(read: ReadAsync, readHistory: ReadAsync): RecordedTurns {
  return {
    withRows: (ask) => runWithRows(read, ask),
    readInbound: async (traceId) => (await read<MessageRow>(RECEIVED, traceId))[0]?.message,
    readRecord: async (traceId) => (await readHistory<TurnRecordTable>(RECORD, traceId))[0],
    readSent: async (traceId) => (await read<MessageRow>(SENT, traceId)).map(({ message }) => message),
  };
}

/** Runs the synchronous `ask` twice: first to collect which rows it needs, then with these rows loaded. */
async function runWithRows<T>(read: ReadAsync, ask: (read: ReadRows) => T): Promise<T> {
  const requested = new Map<string, readonly [text: string, parameters: Parameters]>();
  const keyOf = (text: string, parameters: Parameters) => JSON.stringify([text, ...parameters]);
  ask((text, ...parameters) => {
    requested.set(keyOf(text, parameters), [text, parameters]);
    return [];
  });
  const found = new Map<string, readonly unknown[]>();
  for (const [key, [text, parameters]] of requested) found.set(key, await read(text, ...parameters));
  return ask(
    <Row>(text: string, ...parameters: Parameters) => (found.get(keyOf(text, parameters)) ?? []) as readonly Row[],
  );
}

function queryFile<Row>(file: string, query: string, parameters: readonly (string | number)[]): readonly Row[] {
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
