import { stat } from "node:fs/promises";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { AppError, type Database, type WriteResult } from "@parley/core";
import { applyMigrations } from "@parley/core/storage";
import type { Compilable, Kysely } from "kysely";
import { createKysely, type Run, toStatement } from "./kysely.ts";
import { createSnapshotReads } from "./snapshot-reads.ts";
import { type CommitWatch, createSqlConnection, getSqlFailure, type SqlConnection } from "./sql-connection.ts";
import { createSqlThread, type SqlThread } from "./sql-thread.ts";
import type { SqlStatement } from "./sqlite-worker.ts";
import { collectTransaction, openTransaction } from "./transactions.ts";
import { toOpenReason } from "./write-watch.ts";

const MAX_LOOKUPS = 100;
/** SQLite's codes for "busy", "locked" and "cannot be opened", with which another thread may still succeed. */
const RETRY_IN_THREAD_CODES = new Set([5, 6, 14]);
/** SQLite's codes for "corrupt" and "not a database". */
const DAMAGED_CODES = new Set([11, 26]);

export interface OpenDatabase extends Database, AsyncDisposable {
  /** Rewrites the file, so that deleted data cannot be recovered. */
  compact(): Promise<void>;
  /** Returns the number of waiting writes. */
  getPendingCount(): number;
  /** Returns the number of messages to the writing thread; each is a commit of all waiting writes, or a statement. */
  getMessageCount(): number;
}

export interface ReaderDeps {
  /** The thread of all files; there is only one, because each takes 10 MB. */
  readonly thread: SqlThread;
  /** Returns true during the start: reads then use the writing thread, so that an idle service needs no other. */
  isStarting(): boolean;
}

export interface OpenOptions extends ReaderDeps {
  /** Version of the service, which decides whether an earlier one can still use the schema. */
  readonly version: string | undefined;
  readonly watch: CommitWatch;
  /** Copies the database before its tables are changed. */
  readonly copyFirst?: (writer: Pick<SqlConnection, "exclusively">) => Promise<void>;
  /** True for the history, whose last writes may be missing after a crash. */
  readonly isHistory?: boolean;
}

/** Opens or creates the file; throws `unavailable` with a remedy when it is damaged. A damaged file is never overwritten. */
export async function openDatabase(
  file: string,
  { thread, isStarting, version, watch, copyFirst, isHistory = false }: OpenOptions,
): Promise<OpenDatabase> {
  const writing = createSqlThread();
  const explain = createExplainer(file, isStarting);
  const role = isHistory ? "history" : "writer";
  const writer = withExplainedErrors(createSqlConnection(writing, { file, role }, watch), explain);
  const early = createSqlConnection(writing, { file, role: "reader" });
  const late = createSqlConnection(thread, { file, role: "reader" });
  const snapshotReader = createSqlConnection(thread, { file, role: "snapshot" });
  let steps = 0;
  const snapshots = createSnapshotReads({ reader: snapshotReader, writer, steps: () => steps });
  const read: Run = (statement) => (snapshots.run() ?? (isStarting() ? early : late).run)(statement).catch(explain);
  const lookups = createLookups(file);
  const close = async () => {
    lookups.close();
    for (const connection of [snapshotReader, late, early, writer]) await connection.close();
    await writing[Symbol.asyncDispose]();
  };
  try {
    await checkIntegrity(writer, file, isHistory ? 1 : 2);
  } catch (error) {
    await close();
    throw error;
  }
  const kysely = createKysely(writer, read, openTransaction);
  const schema = createKysely(writer, read, collectTransaction);
  let copied: Promise<void> | undefined;
  const prepareUpgrade = async () => {
    copied ??= copyFirst?.(writer);
    await copied;
  };
  return {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    async write(writes) {
      const results = await writer.write(
        writes.map(({ query, expect, otherwise, otherwiseDetail, ifChanged }) => ({
          ...toStatement(query.compile()),
          ...(expect !== undefined && { expect }),
          ...(otherwise !== undefined && { otherwise }),
          ...(otherwiseDetail && { otherwiseDetail }),
          ...(ifChanged && { ifChanged }),
        })),
      );
      return results as readonly WriteResult[];
    },
    async lookup<Row>(query: Compilable<Row>) {
      const statement = toStatement(query.compile());
      const found = snapshots.run() ? undefined : lookups.rows(statement);
      return (found ?? (await read(statement)).rows) as readonly Row[];
    },
    snapshot: snapshots.snapshot,
    migrate: (owner, migrations) =>
      snapshots.outside(() =>
        applyMigrations(schema, owner, migrations, {
          ...(version && { version }),
          upgrades: prepareUpgrade,
          applied: () => (steps += 1),
        }),
      ),
    compact: () => compact(writer),
    size: async () => (await getSize(file)) + (await getSize(`${file}-wal`)),
    getPendingCount: () => writer.getPendingCount(),
    getMessageCount: writing.getMessageCount,
    [Symbol.asyncDispose]: close,
  };
}

const LIST_FTS_TABLES = "select name from sqlite_schema where type = 'table' and sql like '%using fts5(%'";
const MAX_CHECKPOINTS = 50;
const CHECKPOINT_DELAY_MS = 100;

/** Overwrites deleted data in free pages, word indexes and the log. */
async function compact(writer: SqlConnection): Promise<void> {
  await writer.exclusively(async (turn) => {
    const execute = (sql: string) => turn.run({ sql, parameters: [] });
    const { rows } = await execute(LIST_FTS_TABLES);
    for (const { name } of rows as readonly { readonly name: string }[]) {
      await execute(`insert into "${name}" ("${name}") values ('optimize')`);
    }
    await execute("VACUUM");
    for (let tried = 0; tried < MAX_CHECKPOINTS; tried += 1) {
      const found = await execute("PRAGMA wal_checkpoint(TRUNCATE)");
      // Concurrent readers prevent truncating the log.
      if (Object.values(found.rows[0] as object)[0] === 0) return;
      await wait(CHECKPOINT_DELAY_MS);
    }
    throw new AppError("unavailable", "the log of the database could not be cut: somebody reads in it all the time");
  });
}

/** Creates a reading connection on this thread. */
function createLookups(file: string) {
  const statements = new Map<string, StatementSync>();
  let database: DatabaseSync | undefined;
  const open = () => {
    const db = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
    db.exec("PRAGMA query_only = ON");
    return db;
  };
  const prepareStatement = (text: string) => {
    const known = statements.get(text);
    if (known) return known;
    database ??= open();
    if (statements.size >= MAX_LOOKUPS) statements.clear();
    const statement = database.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  return {
    /** Returns undefined when the file cannot be read here: another thread may wait for it, or have it open. */
    rows({ sql: text, parameters }: SqlStatement): readonly unknown[] | undefined {
      try {
        return prepareStatement(text).all(...parameters);
      } catch (error) {
        if (RETRY_IN_THREAD_CODES.has(((error as { readonly errcode?: number }).errcode ?? 0) & 255)) return undefined;
        throw new AppError("internal", "a statement failed", { cause: error });
      }
    },
    close() {
      statements.clear();
      database?.close();
    },
  };
}

/** Checks the integrity of a database and its level of `synchronous`: 2 is FULL, 1 is NORMAL. */
async function checkIntegrity(writer: SqlConnection, file: string, synchronous: 1 | 2): Promise<void> {
  const pragma = async (text: string) => {
    const { rows } = await writer.run({ sql: `PRAGMA ${text}`, parameters: [] });
    return Object.values((rows[0] ?? {}) as object)[0];
  };
  try {
    const found = await pragma("quick_check(1)");
    if (found !== "ok") throw createDamagedError(file, String(found));
    if ((await pragma("synchronous")) !== synchronous)
      throw new AppError("unavailable", "commits would not be flushed");
  } catch (cause) {
    const failure = getSqlFailure(cause);
    if (failure === undefined) throw cause;
    if (DAMAGED_CODES.has(failure.code)) throw createDamagedError(file, failure.message);
    // After any other error the content of the file is intact.
    const reason = await toOpenReason(file, failure);
    throw new AppError("unavailable", `the database cannot be opened now: ${reason}. It is not damaged`, { cause });
  }
}

function createDamagedError(file: string, found: string): AppError {
  const way = `Move it away and restore a backup, or try: sqlite3 '${file}' .recover`;
  return new AppError("unavailable", `${file} cannot be used, it is damaged: ${found}. ${way}`);
}

/** Returns a handler that adds file and reason to a storage error during the start; other errors are passed on unchanged. */
function createExplainer(file: string, isStarting: () => boolean) {
  return async (error: unknown): Promise<never> => {
    const failure = getSqlFailure(error);
    if (!isStarting() || !failure || !AppError.is(error) || error.code !== "unavailable") throw error;
    throw new AppError("unavailable", `${error.message}: ${await toOpenReason(file, failure)}`, { cause: failure });
  };
}

function withExplainedErrors(writer: SqlConnection, explain: (error: unknown) => Promise<never>): SqlConnection {
  return {
    ...writer,
    write: (unit) => writer.write(unit).catch(explain),
    exclusively: (work) =>
      writer.exclusively((turn) =>
        work({
          run: (statement) => turn.run(statement).catch(explain),
          write: (unit) => turn.write(unit).catch(explain),
        }),
      ),
  };
}

async function getSize(file: string): Promise<number> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  return size;
}
