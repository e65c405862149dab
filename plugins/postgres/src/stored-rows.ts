import { AppError, type Database, type Databases, type StoredRows } from "@parley/core";
import type { Compilable, Kysely } from "kysely";
import type pg from "pg";
import { known, reasonOf } from "./failures.ts";
import { createKysely } from "./kysely.ts";
import { briefly } from "./session.ts";
import { createSpeech, type Run, statementOf } from "./statements.ts";
import type { Writer } from "./writer.ts";

/** Whoever reads everything is not hurried, nor is it taken for one who has forgotten to end. */
const BEGIN = `begin isolation level repeatable read read only; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0; select 1`;
const refuse = (): never => {
  throw new AppError("unavailable", "rows are only read here");
};

/** Statements that do not begin with a select read, too: whatever would write the server refuses. */
const readerOnly = (read: Run): Pick<Writer, "write" | "begin"> => ({
  write: (unit) => Promise.all(unit.map(read)),
  begin: async () => refuse(),
});

/** Takes no lock that a service takes: as `pg_dump` reads. */
export function createStoredRows(options: () => pg.ClientConfig, ownTables: readonly string[]): StoredRows {
  return {
    async atOneMoment(read) {
      let isReached = false;
      const { query_timeout: _, ...patient } = options();
      try {
        return await briefly(patient, async (client) => {
          await client.query(BEGIN);
          isReached = true;
          return read(databasesOn(client, ownTables));
        });
      } catch (error) {
        if (isReached) throw error;
        throw new AppError("unavailable", `the database cannot be read: ${reasonOf(error)}`, { cause: error });
      }
    },
  };
}

function databasesOn(client: pg.Client, ownTables: readonly string[]): Databases {
  const speech = createSpeech();
  const read: Run = (statement) => speech.say(client, statement).catch((error) => Promise.reject(known(error)));
  const kysely = createKysely(readerOnly(read), read);
  const main: Database = {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    write: async () => refuse(),
    lookup: async <Row>(query: Compilable<Row>) => (await read(statementOf(query.compile()))).rows as readonly Row[],
    migrate: async () => refuse(),
    size: async () => 0,
  };
  return { main, ownTables, open: async () => main };
}
