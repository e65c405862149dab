import { type Compilable, type Expression, type Kysely, type RootOperationNode, type SqlBool, sql } from "kysely";
import { explainedAs, toldFailure } from "../../error-texts.ts";
import { AppError, type ErrorDetail, type ToldFailure } from "../../errors.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Localized } from "../../resource/field-schemas.ts";

/** One numbered step of an owner's schema. Never changed once released; forward only. */
export interface Migration {
  /** `001-messages`; steps run in the order of their ids. */
  readonly id: string;
  /**
   * True: a service of an earlier version goes on working with it, because it adds what that does not know and changes nothing
   * else: a table, a column that may be left out, an index. Without it the step waits until no such service works on the
   * database: what is not needed any more is taken away in the version after the one that stopped using it.
   */
  readonly expands?: true;
  up(db: Kysely<unknown>): Promise<void>;
}

/** One statement of an atomic write. */
export interface Write {
  readonly query: Compilable<unknown>;
  /** The number of rows it must change or return; another number undoes the whole write with `conflict`. */
  readonly expect?: number;
  /** What that `conflict` says; by itself: that the record was changed meanwhile. */
  readonly otherwise?: string;
  /** What it takes to say `otherwise` in another language. */
  readonly otherwiseDetail?: ToldFailure["detail"];
  /** True: it runs only when the statement before it changed or returned rows; one that is left out changed none. */
  readonly ifChanged?: true;
}

/** What a statement changed. */
export interface WriteResult<Row = unknown> {
  /** What `returning` gave. */
  readonly rows: readonly Row[];
  readonly changes: number;
}

const RAW_NODE = { kind: "RawNode", sqlFragments: [], parameters: [] } as RootOperationNode;
const FIXED_QUERY_ID = { queryId: "fixed" };

/** A statement whose text never changes, with `?` for its parameters: on the way of every message nothing is built anew. */
export function fixedStatement<Row = unknown>(text: string, parameters: readonly unknown[]): Compilable<Row> {
  return { compile: () => ({ sql: text, parameters, query: RAW_NODE, queryId: FIXED_QUERY_ID }) };
}

/**
 * Stands in a write behind what adds rows to `table`, and undoes all of it with `conflict` when there are more than `most`
 * of them by then: counted before the write, several who come together would all find room for the last one. `what` they
 * are is a part of what it says: in English, or in both languages.
 */
export function atMost(table: string, most: number, what: string | Localized): Write {
  const query = fixedStatement(`select count(*) as count from ${table} having count(*) <= ?`, [most]);
  const { en, zh } = typeof what === "string" ? { en: what, zh: "" } : what;
  return { query, expect: 1, ...undoneAs("core.full", FULL, { most, what: en, named: zh }) };
}

const FULL = { en: "there are already {most} {what}", zh: "{named}已达上限（{most}）" };

/** What a write says when it is undone, in both languages; `{name}` stands for a parameter. */
export function undoneAs(
  key: string,
  said: Localized,
  params: NonNullable<ErrorDetail["params"]>,
): Pick<Write, "otherwise" | "otherwiseDetail"> {
  const { error, detail } = toldFailure(explainedAs("conflict", key, said, { params }));
  return { otherwise: error, ...(detail && { otherwiseDetail: detail }) };
}

/** The failure of a write that was undone, as storages throw it. */
export function undone(
  { otherwise, otherwiseDetail: detail }: Pick<Write, "otherwise" | "otherwiseDetail">,
  cause: Error,
): AppError {
  if (otherwise === undefined) return explainedAs("conflict", "core.changed", CHANGED, { cause });
  return new AppError("conflict", otherwise, { cause, ...(detail && { detail }) });
}

const CHANGED = { en: "the record was changed meanwhile", zh: "记录已被他人修改" };

/** A fixed statement's text as PostgreSQL takes it: `$1`, `$2` … for each `?` that stands outside quotes. */
export function numbered(text: string): string {
  let count = 0;
  return text.replaceAll(/'[^']*'|"[^"]*"|\?/g, (found) => (found === "?" ? `$${++count}` : found));
}

/**
 * True for rows whose `column` has `text` somewhere in it, whatever the case of ASCII letters; no character of `text` means
 * anything else. A bare `like` heeds capitals and backslashes on one engine and not on the other.
 */
export function contains(column: string, text: string): Expression<SqlBool> {
  return sql<SqlBool>`lower(${sql.ref(column)}) like lower(${toLikePattern(text)}) escape '\\'`;
}

/** The same for a column and a text that are in small letters already: half the work, on every row that is looked at. */
export function containsSmall(column: string, text: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${toLikePattern(text)} escape '\\'`;
}

function toLikePattern(text: string): string {
  return `%${text.replaceAll(/[%_\\]/g, "\\$&")}%`;
}

/** SQL rows. Statements run outside the event loop, but for `lookup`; one file, one writer. */
export interface Database {
  /** A query builder typed by the caller's own tables. */
  tables<Tables>(): Kysely<Tables>;
  /**
   * Applies all writes or none and resolves after they are on disk (fsync).
   * Calls that wait together share one transaction and one fsync; one that fails hurts only itself.
   */
  write(writes: readonly Write[]): Promise<readonly WriteResult[]>;
  /**
   * The rows of a SELECT that an index answers with a few small rows, read on the caller's own thread: what every
   * message needs does not pay the way to another thread and back. Anything that may read more goes through `tables`.
   */
  lookup<Row>(query: Compilable<Row>): Promise<readonly Row[]>;
  /**
   * Runs `read` on what is stored at one moment: whatever is written meanwhile, nobody whom it asks finds it. What it takes
   * from memory before it first waits is of that moment too. It may run again when it made a table. One at a time.
   * Absent: what is read is as it is just then.
   */
  snapshot?<T>(read: () => Promise<T>): Promise<T>;
  /** Applies the steps of `owner` that are missing. A database from a newer version is refused with `conflict`. */
  migrate(owner: string, migrations: readonly Migration[]): Promise<void>;
  /** Bytes on disk. */
  size(): Promise<number>;
}

/** The databases of the service. */
export interface Databases {
  /** `data/parley.db`. */
  readonly main: Database;
  /** True: other processes may work on it too. Absent: whatever is marked as under way at the start belongs to nobody any more. */
  readonly isShared?: true;
  /**
   * Runs `work` while no other process that works on the database runs any of the same name; whoever ends in the middle of its
   * work lets go. `unavailable` when the others take too long. Absent: there are no others.
   */
  alone?<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Tables that the engine made for itself: they belong to it and not to what is kept, and are never copied to another one. */
  readonly ownTables?: readonly string[];
  /**
   * A database of its own; `file` is absolute. Open until the storage stops; the same file gives the same database.
   * Where a server keeps the rows it may be the one of all: names of tables are those of the whole installation.
   * `isHistory`: what is written last may be missing after a crash; then no write waits for the disk.
   */
  open(file: string, options?: { readonly isHistory?: boolean }): Promise<Database>;
  /** Writes all files anew, so that nothing that was deleted can be read in them. Absent: the engine does so in its own time. */
  compact?(): Promise<void>;
}
export const Databases: ServiceKey<Databases> = serviceKey("databases");
