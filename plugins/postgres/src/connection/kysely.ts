import { AppError } from "@parley/core";
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Run, SqlResult, SqlStatement } from "./statements.ts";
import type { Transaction, Writer } from "./writer.ts";

/** Creates a query builder. Reads use `read`; everything else, including transactions, uses the writing connection. */
export function createKysely(writer: Pick<Writer, "write" | "begin">, read: Run): Kysely<unknown> {
  const transactions = new WeakMap<DatabaseConnection, Transaction>();
  const outside = createConnection((statement, isRead) => (isRead ? read(statement) : writeOne(writer, statement)));
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => ({ ...outside }),
        async beginTransaction(connection) {
          const transaction = await writer.begin();
          transactions.set(connection, transaction);
          connection.executeQuery = createConnection(transaction.run).executeQuery;
        },
        commitTransaction: async (connection) => transactions.get(connection)?.commit(),
        rollbackTransaction: async (connection) => transactions.get(connection)?.rollback(),
        async releaseConnection(connection) {
          transactions.get(connection)?.release();
          transactions.delete(connection);
        },
        destroy: async () => {},
      }),
    },
  });
}

async function writeOne(writer: Pick<Writer, "write">, statement: SqlStatement): Promise<SqlResult> {
  const [result] = await writer.write([statement]);
  return result ?? { rows: [], changes: 0 };
}

function createConnection(run: (statement: SqlStatement, isRead: boolean) => Promise<SqlResult>): DatabaseConnection {
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changes } = await run(query, query.query.kind === "SelectQueryNode");
      return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
    },
    async *streamQuery() {
      yield* [];
      throw new AppError("internal", "rows are read in pages, not streamed");
    },
  };
}
