import {
  type Compilable,
  type DeleteQueryBuilder,
  type Expression,
  type Kysely,
  type RootOperationNode,
  type SqlBool,
  sql,
} from "kysely";
import { type ItemFailure, toMessageWithChinese } from "../../error-texts.ts";
import { AppError, type ErrorDetail, type LocalizedError } from "../../errors.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import { coreTexts } from "../../texts.ts";

/** One numbered step of an owner's schema. Never changed once released; forward only. */
export interface Migration {
  /** `001-messages`; steps run in the order of their ids. */
  readonly id: string;
  /**
   * True when services of the previous version can still work with the database, because the step only adds: a table, an optional
   * column, an index. Without it the step waits until no such service runs; remove a thing one version after its last use.
   */
  readonly expands?: true;
  /** Ids of earlier steps that it replaces: a database with all of them counts as having it. */
  readonly replaces?: readonly string[];
  up(db: Kysely<unknown>): Promise<void>;
}

/** One statement of an atomic write. */
export interface Write {
  readonly query: Compilable<unknown>;
  /** Number of rows that the statement must change or return; any other number undoes the whole write with `conflict`. */
  readonly expect?: number;
  /** Message of that `conflict`; default: the record was changed meanwhile. */
  readonly otherwise?: string;
  /** Localized detail of `otherwise`. */
  readonly otherwiseDetail?: LocalizedError["detail"];
  /** True runs the statement only when the previous one changed or returned rows; a skipped one changes none. */
  readonly ifChanged?: true;
}

/** Result of a write statement. */
export interface WriteResult<Row = unknown> {
  /** Rows of the `returning` clause. */
  readonly rows: readonly Row[];
  readonly changes: number;
}

const RAW_NODE = { kind: "RawNode", sqlFragments: [], parameters: [] } as RootOperationNode;
const FIXED_QUERY_ID = { queryId: "fixed" };

/** Creates a statement with constant text and `?` parameters, so that nothing is compiled per message. */
export function fixedStatement<Row = unknown>(text: string, parameters: readonly unknown[]): Compilable<Row> {
  return { compile: () => ({ sql: text, parameters, query: RAW_NODE, queryId: FIXED_QUERY_ID }) };
}

/**
 * Returns a write that limits the rows of `table`: placed after inserts, it undoes the transaction with `conflict`
 * above `most` rows. Counting before the write would let concurrent callers all take the last place. `what` names the
 * rows in the message, in English or both languages.
 */
export function limitRows(table: string, most: number, what: string | Localized): Write {
  const query = fixedStatement(`select count(*) as count from ${table} having count(*) <= ?`, [most]);
  return { query, expect: 1, ...toUndone(coreTexts.message("full", { most, what })) };
}

/** Returns the write of a deletion; with `ifMatch` it is undone with `conflict` unless one row has that `revision`. */
export function removeRevision(query: Compilable<unknown>, ifMatch: number | undefined): Write {
  if (ifMatch === undefined) return { query };
  const deletion = query as DeleteQueryBuilder<{ row: { revision: number } }, "row", unknown>;
  return { query: deletion.where("revision", "=", ifMatch), expect: 1 };
}

/** Returns the localized message of an undone write; `{name}` stands for a parameter. */
export function withUndoneMessage(
  key: string,
  message: Localized,
  params: NonNullable<ErrorDetail["params"]>,
): Pick<Write, "otherwise" | "otherwiseDetail"> {
  return toUndone(toMessageWithChinese(key, message, params));
}

function toUndone({ error, detail }: ItemFailure): Pick<Write, "otherwise" | "otherwiseDetail"> {
  return { otherwise: error, ...(detail && { otherwiseDetail: detail }) };
}

/** Creates the error of an undone write, as storages throw it. */
export function createUndoneError(
  { otherwise, otherwiseDetail }: Pick<Write, "otherwise" | "otherwiseDetail">,
  cause: Error,
): AppError {
  if (otherwise === undefined) return coreTexts.error("conflict", "changed", {}, { cause });
  return new AppError("conflict", otherwise, { cause, ...(otherwiseDetail && { detail: otherwiseDetail }) });
}

/** Converts a fixed statement to PostgreSQL: `$1`, `$2` … for each `?` outside quotes. */
export function toNumberedParameters(text: string): string {
  let count = 0;
  return text.replaceAll(/'[^']*'|"[^"]*"|\?/g, (found) => (found === "?" ? `$${++count}` : found));
}

/** Matches rows whose `column` contains `text` literally, ignoring ASCII case. A bare `like` treats case and backslashes differently per engine. */
export function contains(column: string, text: string): Expression<SqlBool> {
  return sql<SqlBool>`lower(${sql.ref(column)}) like lower(${toLikePattern(text)}) escape '\\'`;
}

/** Matches like `contains` when column and text are lower-case already, at half the cost per row. */
export function containsLowerCase(column: string, text: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${toLikePattern(text)} escape '\\'`;
}

function toLikePattern(text: string): string {
  return `%${text.replaceAll(/[%_\\]/g, "\\$&")}%`;
}

/** SQL rows. Statements run outside the event loop, except `lookup`; each file has one writer. */
export interface Database {
  /** A query builder typed by the caller's own tables. */
  tables<Tables>(): Kysely<Tables>;
  /**
   * Applies all writes or none and resolves after they are on disk (fsync). Concurrent calls share one transaction and one fsync; a
   * failing one does not affect the others.
   */
  write(writes: readonly Write[]): Promise<readonly WriteResult[]>;
  /**
   * Returns the rows of a SELECT that an index answers with a few small rows, read on the caller's thread to save the
   * switch on the path of every message. Larger reads go through `tables`.
   */
  lookup<Row>(query: Compilable<Row>): Promise<readonly Row[]>;
  /**
   * Runs `read` on a consistent snapshot; later writes are invisible. Memory read before its first await belongs to the same
   * instant. May run again after it created a table. Snapshots run one at a time. Absent: reads see the current state.
   */
  snapshot?<T>(read: () => Promise<T>): Promise<T>;
  /** Applies the missing steps of `owner`. Rejects with `conflict` for a database of a newer version. */
  migrate(owner: string, migrations: readonly Migration[]): Promise<void>;
  /** Bytes on disk. */
  size(): Promise<number>;
}

/** The databases of the service. */
export interface Databases {
  /** `data/parley.db`. */
  readonly main: Database;
  /** True when other processes may use it too. Absent: work marked as running at start belongs to an ended process. */
  readonly isShared?: true;
  /**
   * Runs `work` under a named lock across all processes on the database; a process that dies releases it. Rejects
   * with `unavailable` when the others take too long. Absent: there are no other processes.
   */
  alone?<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Tables of the engine itself; they are never copied to another storage. */
  readonly ownTables?: readonly string[];
  /**
   * Opens a database; `file` is absolute. Stays open until the storage stops; the same file returns the same
   * database. On a server it may be one for all: table names are unique in the installation. `isHistory`: writes do
   * not wait for the disk, so the latest may be lost in a crash.
   */
  open(file: string, options?: { readonly isHistory?: boolean }): Promise<Database>;
  /** Rewrites all files, so that deleted data cannot be recovered from them. Absent: the engine does so itself. */
  compact?(): Promise<void>;
}
export const Databases: ServiceKey<Databases> = serviceKey("databases");
