// Runs in a thread of its own, with a connection to each database file it is asked for: no statement blocks the event loop.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

export type SqlValue = null | number | bigint | string | Uint8Array;

export interface SqlStatement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  readonly expect?: number;
}

export interface SqlResult {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

export interface SqlFailure {
  /** SQLite's primary result code; 0 when the row count was not the expected one. */
  readonly code: number;
  readonly message: string;
}

export type UnitAnswer = { readonly results: readonly SqlResult[] } | { readonly failure: SqlFailure };

export type SqlRequest =
  /** Each unit is all or nothing; all of them share one commit. */
  | { readonly kind: "units"; readonly units: readonly (readonly SqlStatement[])[] }
  /** One statement, in whatever transaction is open. */
  | { readonly kind: "statement"; readonly statement: SqlStatement }
  /** Ends the connection. */
  | { readonly kind: "close" };

export interface WorkerRequest {
  readonly file: string;
  readonly request: SqlRequest;
}

/** SQLite's codes for what ails the file and not one unit: busy, locked, out of memory, read-only, i/o error, full. */
const NOTHING_FITS = new Set([5, 6, 7, 8, 10, 13]);
const MAX_STATEMENTS = 500;
const fixed = (sql: string): SqlStatement => ({ sql, parameters: [] });
const BEGIN = fixed("BEGIN IMMEDIATE");
const COMMIT = fixed("COMMIT");
const ROLLBACK = fixed("ROLLBACK");
const SAVEPOINT = fixed("SAVEPOINT unit");
const RELEASE = fixed("RELEASE unit");
const ROLLBACK_TO = fixed("ROLLBACK TO unit");
const { isReader } = workerData as { readonly isReader: boolean };
const connections = new Map<string, Connection>();

interface Connection {
  readonly db: DatabaseSync;
  readonly statements: Map<string, StatementSync>;
}

parentPort?.on("message", ({ file, request }: WorkerRequest) => parentPort?.postMessage(answer(file, request)));

function answer(file: string, request: SqlRequest): readonly UnitAnswer[] {
  try {
    if (request.kind === "close") return close(file);
    const connection = connections.get(file) ?? open(file);
    if (request.kind === "statement") return [{ results: [run(connection, request.statement)] }];
    return runUnits(connection, request.units);
  } catch (error) {
    const failure = failureOf(error);
    return request.kind === "units" ? request.units.map(() => ({ failure })) : [{ failure }];
  }
}

function open(file: string): Connection {
  const db = new DatabaseSync(file, { timeout: 5000, readOnly: false, enableForeignKeyConstraints: true });
  if (!isReader) {
    db.exec("PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = FULL");
    db.exec("PRAGMA wal_autocheckpoint = 2000");
  } else db.exec("PRAGMA query_only = ON");
  const connection = { db, statements: new Map() };
  connections.set(file, connection);
  return connection;
}

/** All units in one commit; when one fails, they are done again, each so that it hurts only itself. */
function runUnits(to: Connection, units: readonly (readonly SqlStatement[])[]): readonly UnitAnswer[] {
  try {
    return inTransaction(to, () => units.map((unit) => ({ results: unit.map((statement) => run(to, statement)) })));
  } catch (error) {
    if (units.length === 1 || NOTHING_FITS.has(failureOf(error).code)) throw error;
    return inTransaction(to, () => units.map((unit) => runUnit(to, unit)));
  }
}

function inTransaction<T>(to: Connection, work: () => T): T {
  run(to, BEGIN);
  try {
    const result = work();
    run(to, COMMIT);
    return result;
  } catch (error) {
    if (to.db.isTransaction) run(to, ROLLBACK);
    throw error;
  }
}

function runUnit(to: Connection, unit: readonly SqlStatement[]): UnitAnswer {
  run(to, SAVEPOINT);
  try {
    const results = unit.map((statement) => run(to, statement));
    run(to, RELEASE);
    return { results };
  } catch (error) {
    // A full disk ends the whole transaction: then nothing of the batch is stored.
    if (!to.db.isTransaction) throw error;
    run(to, ROLLBACK_TO);
    run(to, RELEASE);
    return { failure: failureOf(error) };
  }
}

function run(to: Connection, { sql, parameters, expect }: SqlStatement): SqlResult {
  const statement = to.statements.get(sql) ?? prepare(to, sql);
  const hasRows = statement.columns().length > 0;
  const rows = hasRows ? statement.all(...parameters) : [];
  const changes = hasRows ? rows.length : Number(statement.run(...parameters).changes);
  if (expect !== undefined && changes !== expect) {
    throw Object.assign(new Error(`${changes} rows instead of ${expect}`), { errcode: 0 });
  }
  return { rows, changes };
}

function prepare({ db, statements }: Connection, sql: string): StatementSync {
  if (statements.size >= MAX_STATEMENTS) statements.clear();
  const statement = db.prepare(sql);
  // A changed schema makes old statements unusable.
  if (/^\s*(create|alter|drop)\b/i.test(sql)) statements.clear();
  else statements.set(sql, statement);
  return statement;
}

function failureOf(error: unknown): SqlFailure {
  const { errcode = 1, message } = error as { readonly errcode?: number; readonly message: string };
  return { code: errcode & 255, message };
}

function close(file: string): readonly UnitAnswer[] {
  const { db } = connections.get(file) ?? {};
  connections.delete(file);
  try {
    if (!isReader) db?.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db?.close();
  }
  return [];
}
