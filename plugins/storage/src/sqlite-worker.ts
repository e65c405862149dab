// Runs in a thread of its own: one connection to one database file, so that no statement blocks the event loop.
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

/** A statement on its way: a text that has a number is sent once. */
export interface SentStatement extends Omit<SqlStatement, "sql"> {
  readonly sql: string | number;
}

export type WorkerTask =
  /** Each unit is all or nothing; all of them share one commit. */
  | { readonly kind: "units"; readonly units: readonly (readonly SentStatement[])[] }
  /** One statement, in whatever transaction is open. */
  | { readonly kind: "statement"; readonly statement: SentStatement };

export interface WorkerRequest {
  /** Texts that have a number from now on. */
  readonly texts: readonly (readonly [number: number, sql: string])[];
  readonly task: WorkerTask | "close";
}

interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

/** SQLite's codes for what ails the file and not one unit: busy, locked, out of memory, read-only, i/o error, full. */
const NOTHING_FITS = new Set([5, 6, 7, 8, 10, 13]);
const MAX_STATEMENTS = 500;
const fixed = (sql: string): SentStatement => ({ sql, parameters: [] });
const BEGIN = fixed("BEGIN IMMEDIATE");
const COMMIT = fixed("COMMIT");
const ROLLBACK = fixed("ROLLBACK");
const SAVEPOINT = fixed("SAVEPOINT unit");
const RELEASE = fixed("RELEASE unit");
const ROLLBACK_TO = fixed("ROLLBACK TO unit");
const { file, isReader } = workerData as { readonly file: string; readonly isReader: boolean };
const texts = new Map<number, string>();
const statements = new Map<string, Prepared>();
let database: DatabaseSync | undefined;

parentPort?.on("message", ({ texts: told, task }: WorkerRequest) => {
  for (const [number, sql] of told) texts.set(number, sql);
  if (task !== "close") parentPort?.postMessage(answer(task));
  else {
    close();
    parentPort?.close();
  }
});

function answer(task: WorkerTask): readonly UnitAnswer[] {
  try {
    const db = connection();
    if (task.kind === "statement") return [{ results: [run(db, task.statement)] }];
    return runUnits(db, task.units);
  } catch (error) {
    const failure = failureOf(error);
    return task.kind === "statement" ? [{ failure }] : task.units.map(() => ({ failure }));
  }
}

function connection(): DatabaseSync {
  if (database) return database;
  const db = new DatabaseSync(file, { timeout: 5000, readOnly: false, enableForeignKeyConstraints: true });
  if (!isReader) {
    db.exec("PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = FULL");
    db.exec("PRAGMA wal_autocheckpoint = 2000");
  } else db.exec("PRAGMA query_only = ON");
  database = db;
  return db;
}

/** All units in one commit; when one fails, they are done again, each so that it hurts only itself. */
function runUnits(db: DatabaseSync, units: readonly (readonly SentStatement[])[]): readonly UnitAnswer[] {
  try {
    return inTransaction(db, () => units.map((unit) => ({ results: unit.map((statement) => run(db, statement)) })));
  } catch (error) {
    if (units.length === 1 || NOTHING_FITS.has(failureOf(error).code)) throw error;
    return inTransaction(db, () => units.map((unit) => runUnit(db, unit)));
  }
}

function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  run(db, BEGIN);
  try {
    const result = work();
    run(db, COMMIT);
    return result;
  } catch (error) {
    if (db.isTransaction) run(db, ROLLBACK);
    throw error;
  }
}

function runUnit(db: DatabaseSync, unit: readonly SentStatement[]): UnitAnswer {
  run(db, SAVEPOINT);
  try {
    const results = unit.map((statement) => run(db, statement));
    run(db, RELEASE);
    return { results };
  } catch (error) {
    // A full disk ends the whole transaction: then nothing of the batch is stored.
    if (!db.isTransaction) throw error;
    run(db, ROLLBACK_TO);
    run(db, RELEASE);
    return { failure: failureOf(error) };
  }
}

function run(db: DatabaseSync, { sql, parameters, expect }: SentStatement): SqlResult {
  const text = typeof sql === "number" ? (texts.get(sql) ?? "") : sql;
  const { statement, hasRows } = statements.get(text) ?? prepare(db, text);
  const rows = hasRows ? statement.all(...parameters) : [];
  const changes = hasRows ? rows.length : Number(statement.run(...parameters).changes);
  if (expect !== undefined && changes !== expect) {
    throw Object.assign(new Error(`${changes} rows instead of ${expect}`), { errcode: 0 });
  }
  return { rows, changes };
}

function prepare(db: DatabaseSync, sql: string): Prepared {
  if (statements.size >= MAX_STATEMENTS) statements.clear();
  const statement = db.prepare(sql);
  const prepared = { statement, hasRows: statement.columns().length > 0 };
  // A changed schema makes old statements unusable.
  if (/^\s*(create|alter|drop)\b/i.test(sql)) statements.clear();
  else statements.set(sql, prepared);
  return prepared;
}

function failureOf(error: unknown): SqlFailure {
  const { errcode = 1, message } = error as { readonly errcode?: number; readonly message: string };
  return { code: errcode & 255, message };
}

function close(): void {
  if (!database) return;
  if (!isReader) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}
