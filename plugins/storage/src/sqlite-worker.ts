// Runs in a thread with the requested connections, so that no statement blocks the event loop.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parentPort } from "node:worker_threads";
import type { Write, WriteResult } from "@parley/core";

export type SqlValue = null | number | bigint | string | Uint8Array;

export interface SqlStatement extends Omit<Write, "query"> {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

export type SqlResult = WriteResult;

export interface SqlFailure {
  /** SQLite's primary result code; 0 when the row count was not the expected one. */
  readonly code: number;
  readonly message: string;
  /** Message for the failed condition of the statement. */
  readonly otherwise?: string | undefined;
  readonly otherwiseDetail?: Write["otherwiseDetail"] | undefined;
}

export type UnitAnswer = { readonly results: readonly SqlResult[] } | { readonly failure: SqlFailure };

/** A statement as sent to the thread: a text that has a number is sent only once. */
export interface SentStatement extends Omit<SqlStatement, "sql"> {
  readonly sql: string | number;
}

/** A task for a connection, with statements as text or as sent. */
export type SqlTask<Statement = SqlStatement> =
  /** Each unit is atomic; all share one commit. */
  | { readonly kind: "units"; readonly units: readonly (readonly Statement[])[] }
  /** A statement in the current transaction. */
  | { readonly kind: "statement"; readonly statement: Statement }
  /** Closes the connection. */
  | { readonly kind: "close" };

/** A connection: to which file, and whether it may write. */
export interface SqlTarget {
  readonly file: string;
  /**
   * `history` does not wait for the disk: its last writes may be missing after a crash. `snapshot` reads like `reader`,
   * which others use at the same time.
   */
  readonly role: "reader" | "snapshot" | "writer" | "history";
}

export interface WorkerRequest {
  readonly target: SqlTarget;
  /** Texts that have a number from now on. */
  readonly texts: readonly (readonly [number: number, sql: string])[];
  readonly task: SqlTask<SentStatement>;
}

interface PreparedStatement {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

interface Connection {
  readonly db: DatabaseSync;
  readonly statements: Map<string, PreparedStatement>;
}

/** SQLite's codes for errors of the file rather than a unit: busy, locked, out of memory, read-only, i/o error, full. */
const FILE_ERROR_CODES = new Set([5, 6, 7, 8, 10, 13]);
const MAX_STATEMENTS = 500;
const toFixedStatement = (sql: string): SentStatement => ({ sql, parameters: [] });
const EMPTY_RESULT: SqlResult = { rows: [], changes: 0 };
const BEGIN = toFixedStatement("BEGIN IMMEDIATE");
const COMMIT = toFixedStatement("COMMIT");
const ROLLBACK = toFixedStatement("ROLLBACK");
const SAVEPOINT = toFixedStatement("SAVEPOINT unit");
const RELEASE = toFixedStatement("RELEASE unit");
const ROLLBACK_TO = toFixedStatement("ROLLBACK TO unit");
const texts = new Map<number, string>();
const connections = new Map<string, Connection>();

parentPort?.on("message", ({ target, texts: fixedTexts, task }: WorkerRequest) => {
  for (const [number, sql] of fixedTexts) texts.set(number, sql);
  parentPort?.postMessage(runTask(target, task));
});

function runTask(target: SqlTarget, task: SqlTask<SentStatement>): readonly UnitAnswer[] {
  try {
    if (task.kind === "close") return closeConnection(target);
    const connection = connections.get(toConnectionKey(target)) ?? openConnection(target);
    if (task.kind === "statement") return [{ results: [run(connection, task.statement)] }];
    return runUnits(connection, task.units);
  } catch (error) {
    const failure = toSqlFailure(error);
    return task.kind === "units" ? task.units.map(() => ({ failure })) : [{ failure }];
  }
}

function toConnectionKey({ file, role }: SqlTarget): string {
  return `${role} ${file}`;
}

function openConnection(target: SqlTarget): Connection {
  const { file, role } = target;
  const db = new DatabaseSync(file, { timeout: 5000, readOnly: false, enableForeignKeyConstraints: true });
  if (canWrite(role)) {
    db.exec("PRAGMA journal_mode = WAL");
    db.exec(`PRAGMA synchronous = ${role === "writer" ? "FULL" : "NORMAL"}`);
    db.exec("PRAGMA wal_autocheckpoint = 2000");
  } else db.exec("PRAGMA query_only = ON");
  const connection = { db, statements: new Map() };
  connections.set(toConnectionKey(target), connection);
  return connection;
}

function canWrite(role: SqlTarget["role"]): boolean {
  return role === "writer" || role === "history";
}

/** Runs all units in one commit. When one fails, they are run again separately, so that only that one fails. */
function runUnits(to: Connection, units: readonly (readonly SentStatement[])[]): readonly UnitAnswer[] {
  try {
    return inTransaction(to, () => units.map((unit) => ({ results: runAll(to, unit) })));
  } catch (error) {
    if (units.length === 1 || FILE_ERROR_CODES.has(toSqlFailure(error).code)) throw error;
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

function runUnit(to: Connection, unit: readonly SentStatement[]): UnitAnswer {
  run(to, SAVEPOINT);
  try {
    const results = runAll(to, unit);
    run(to, RELEASE);
    return { results };
  } catch (error) {
    // A full disk rolls back the whole transaction, so nothing of the batch is stored.
    if (!to.db.isTransaction) throw error;
    run(to, ROLLBACK_TO);
    run(to, RELEASE);
    return { failure: toSqlFailure(error) };
  }
}

function runAll(to: Connection, unit: readonly SentStatement[]): readonly SqlResult[] {
  let last: SqlResult | undefined;
  return unit.map((statement) => {
    last = statement.ifChanged && last?.changes === 0 ? EMPTY_RESULT : run(to, statement);
    return last;
  });
}

function run(to: Connection, { sql, parameters, expect, ...messages }: SentStatement): SqlResult {
  const text = typeof sql === "number" ? (texts.get(sql) ?? "") : sql;
  const { statement, hasRows } = to.statements.get(text) ?? prepare(to, text);
  const rows = hasRows ? statement.all(...parameters) : [];
  const changes = hasRows ? rows.length : Number(statement.run(...parameters).changes);
  if (expect !== undefined && changes !== expect) {
    const { otherwise, otherwiseDetail } = messages;
    throw Object.assign(new Error(`${changes} rows instead of ${expect}`), { errcode: 0, otherwise, otherwiseDetail });
  }
  return { rows, changes };
}

function prepare({ db, statements }: Connection, sql: string): PreparedStatement {
  if (statements.size >= MAX_STATEMENTS) statements.clear();
  const statement = db.prepare(sql);
  const prepared = { statement, hasRows: statement.columns().length > 0 };
  // Schema changes invalidate prepared statements.
  if (/^\s*(create|alter|drop)\b/i.test(sql)) statements.clear();
  else statements.set(sql, prepared);
  return prepared;
}

function toSqlFailure(error: unknown): SqlFailure {
  const known = error as Omit<SqlFailure, "code"> & { readonly errcode?: number };
  const { errcode = 1, message, otherwise, otherwiseDetail } = known;
  return { code: errcode & 255, message, otherwise, otherwiseDetail };
}

function closeConnection(target: SqlTarget): readonly UnitAnswer[] {
  const { db } = connections.get(toConnectionKey(target)) ?? {};
  connections.delete(toConnectionKey(target));
  try {
    if (canWrite(target.role)) db?.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db?.close();
  }
  return [];
}
