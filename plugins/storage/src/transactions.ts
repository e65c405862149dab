import type { CompiledQuery } from "kysely";
import type { SqlTurn } from "./sql-connection.ts";
import type { SqlResult, SqlStatement } from "./sqlite-worker.ts";

/** A transaction over several calls. */
export interface Transaction {
  execute(statement: SqlStatement, query: CompiledQuery): Promise<SqlResult>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

const BEGIN: SqlStatement = { sql: "BEGIN IMMEDIATE", parameters: [] };
const COMMIT: SqlStatement = { sql: "COMMIT", parameters: [] };
const ROLLBACK: SqlStatement = { sql: "ROLLBACK", parameters: [] };
const NO_RESULT: SqlResult = { rows: [], changes: 0 };
const SCHEMA_CHANGE = /^\s*(create|alter|drop)\b/i;
const PLAIN_INSERT = /^\s*insert\b(?!.*\breturning\b)/is;

/** Begins a transaction at once; each statement is a message to the thread. */
export async function openTransaction(turn: SqlTurn): Promise<Transaction> {
  await turn.run(BEGIN);
  return {
    execute: (statement) => turn.run(statement),
    async commit() {
      await turn.run(COMMIT);
    },
    async rollback() {
      await turn.run(ROLLBACK);
    },
  };
}

/**
 * Collects schema changes and inserts, and sends them as one message at the commit; the first statement whose result
 * may be read begins the transaction and sends the collected ones. Inserts return no row count. An error is thrown by
 * that statement, or by the commit.
 */
export async function collectTransaction(turn: SqlTurn): Promise<Transaction> {
  const collected: SqlStatement[] = [];
  let opened: Transaction | undefined;
  const open = async (): Promise<Transaction> => {
    if (opened) return opened;
    opened = await openTransaction(turn);
    for (const statement of collected.splice(0)) await turn.run(statement);
    return opened;
  };
  return {
    async execute(statement, query) {
      if (opened || !(SCHEMA_CHANGE.test(statement.sql) || PLAIN_INSERT.test(statement.sql))) {
        return (await open()).execute(statement, query);
      }
      collected.push(statement);
      return NO_RESULT;
    },
    async commit() {
      if (opened) await opened.commit();
      else if (collected.length > 0) await turn.write(collected.splice(0));
    },
    async rollback() {
      collected.length = 0;
      await opened?.rollback();
    },
  };
}
