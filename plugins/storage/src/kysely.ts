import { AppError } from "@parley/core";
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { SqlConnection, SqlTurn } from "./sql-connection.ts";
import type { SqlResult, SqlStatement, SqlValue } from "./sqlite-worker.ts";
import type { Transaction } from "./transactions.ts";

export type Run = (statement: SqlStatement) => Promise<SqlResult>;

/** Creates the query builder over a writer and a reader; transactions hold the writer until they end. */
export function createKysely(
  writer: SqlConnection,
  read: Run,
  begin: (turn: SqlTurn) => Promise<Transaction>,
): Kysely<unknown> {
  const open = new WeakMap<DatabaseConnection, LockedTurn & Transaction>();
  const outside = createConnection((statement, query) =>
    isRead(query) ? read(statement) : writeOne(writer, statement),
  );
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => ({ ...outside }),
        async beginTransaction(connection) {
          const turn = await acquireWriter(writer);
          const transaction = await begin(turn).catch((error: unknown) => {
            turn.release();
            throw error;
          });
          open.set(connection, { ...turn, ...transaction });
          connection.executeQuery = createConnection(transaction.execute).executeQuery;
        },
        async commitTransaction(connection) {
          await open.get(connection)?.commit();
        },
        async rollbackTransaction(connection) {
          await open.get(connection)?.rollback();
        },
        async releaseConnection(connection) {
          open.get(connection)?.release();
          open.delete(connection);
        },
        destroy: async () => {},
      }),
    },
  });
}

interface LockedTurn extends SqlTurn {
  release(): void;
}

/** Acquires the writer until it is released. */
function acquireWriter(writer: SqlConnection): Promise<LockedTurn> {
  return new Promise((resolve, reject) => {
    writer.exclusively((turn) => new Promise<void>((release) => resolve({ ...turn, release }))).catch(reject);
  });
}

async function writeOne(writer: SqlConnection, statement: SqlStatement): Promise<SqlResult> {
  const [result] = await writer.write([statement]);
  return result ?? { rows: [], changes: 0 };
}

function createConnection(
  run: (statement: SqlStatement, query: CompiledQuery) => Promise<SqlResult>,
): DatabaseConnection {
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changes } = await run(toStatement(query), query);
      return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
    },
    async *streamQuery() {
      yield* [];
      throw new AppError("internal", "rows are read in pages, not streamed");
    },
  };
}

function isRead(query: CompiledQuery): boolean {
  return query.query.kind === "SelectQueryNode";
}

export function toStatement({ sql: text, parameters }: CompiledQuery): SqlStatement {
  return { sql: text, parameters: parameters.map(toParameter) };
}

function toParameter(value: unknown): SqlValue {
  if (typeof value === "boolean") return Number(value);
  return (value ?? null) as SqlValue;
}
