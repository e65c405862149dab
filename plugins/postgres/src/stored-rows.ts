import { AppError, type Database, type Databases, type StoredRows } from "@parley/core";
import type { Compilable, Kysely } from "kysely";
import type pg from "pg";
import { withConnection } from "./connection/connections.ts";
import { toAppError, toReason } from "./connection/failures.ts";
import { createKysely } from "./connection/kysely.ts";
import { createStatementExecutor, type Run, toStatement } from "./connection/statements.ts";
import type { Writer } from "./connection/writer.ts";

/** Removes the timeouts for a full read. */
const BEGIN_READ_ALL = `begin isolation level repeatable read read only; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0; select 1`;
const rejectWrite = (): never => {
  throw new AppError("unavailable", "rows are only read here");
};

/** Creates a writer that also runs changing statements as reads; the server rejects those that would write. */
const createReadOnlyWriter = (read: Run): Pick<Writer, "write" | "begin"> => ({
  write: (unit) => Promise.all(unit.map(read)),
  begin: async () => rejectWrite(),
});

/** Reads without locks that conflict with services, like `pg_dump`. */
export function createStoredRows(options: () => pg.ClientConfig, ownTables: readonly string[]): StoredRows {
  return {
    async atOneMoment(read) {
      let isReached = false;
      const { query_timeout: _, ...patient } = options();
      try {
        return await withConnection(patient, async (client) => {
          await client.query(BEGIN_READ_ALL);
          isReached = true;
          return read(createReadOnlyDatabases(client, ownTables));
        });
      } catch (error) {
        if (isReached) throw error;
        throw new AppError("unavailable", `the database cannot be read: ${toReason(error)}`, { cause: error });
      }
    },
  };
}

function createReadOnlyDatabases(client: pg.Client, ownTables: readonly string[]): Databases {
  const executor = createStatementExecutor();
  const read: Run = (statement) =>
    executor.execute(client, statement).catch((error) => Promise.reject(toAppError(error)));
  const kysely = createKysely(createReadOnlyWriter(read), read);
  const main: Database = {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    write: async () => rejectWrite(),
    lookup: async <Row>(query: Compilable<Row>) => (await read(toStatement(query.compile()))).rows as readonly Row[],
    migrate: async () => rejectWrite(),
    size: async () => 0,
  };
  return { main, ownTables, open: async () => main };
}
