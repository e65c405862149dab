import { toNumberedParameters, type Write, type WriteResult } from "@parley/core";
import type { CompiledQuery } from "kysely";
import type { ClientBase, QueryResult } from "pg";
import { isStalePlan } from "./failures.ts";
import { toParameter } from "./values.ts";

const MAX_PREPARED = 1000;
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const CHANGES_SCHEMA = /^\s*(create|alter|drop)\b/i;

export interface SqlStatement extends Omit<Write, "query"> {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type SqlResult = WriteResult;

export type Run = (statement: SqlStatement) => Promise<SqlResult>;

export function toStatement({ sql, parameters }: Pick<CompiledQuery, "sql" | "parameters">): SqlStatement {
  return { sql, parameters };
}

interface PreparedText {
  readonly text: string;
  /** Name of the prepared statement, whose plan the server caches. */
  readonly name: string | undefined;
}

interface ExecuteOptions {
  /** True to run without a timeout. */
  readonly hasNoTimeout?: boolean;
}

/** Executes statements. The first 1,000 distinct texts are prepared; such a plan fails once after another node changed its table. */
export interface StatementExecutor {
  execute(to: Pick<ClientBase, "query">, statement: SqlStatement, how?: ExecuteOptions): Promise<SqlResult>;
}

export function createStatementExecutor(): StatementExecutor {
  const texts = new Map<string, PreparedText>();
  let schema = 0;
  const textOf = (sql: string): PreparedText => {
    const known = texts.get(sql);
    if (known) return known;
    const isCacheable = texts.size < MAX_PREPARED && !CHANGES_SCHEMA.test(sql);
    const made = { text: toNumberedParameters(sql), name: isCacheable ? `p${schema}_${texts.size}` : undefined };
    if (isCacheable) texts.set(sql, made);
    return made;
  };
  const forgetPlans = () => {
    texts.clear();
    schema += 1;
  };
  return {
    async execute(to, { sql, parameters }, { hasNoTimeout = false } = {}) {
      const { text, name } = textOf(sql);
      const values = parameters.map(toParameter);
      const query = {
        text,
        values,
        ...(name !== undefined && { name }),
        ...(hasNoTimeout && { query_timeout: NO_TIMEOUT_MS }),
      };
      const { rows, rowCount }: QueryResult = await to.query(query).catch((error) => {
        if (isStalePlan(error)) forgetPlans();
        throw error;
      });
      if (CHANGES_SCHEMA.test(sql)) forgetPlans();
      return { rows, changes: rowCount ?? 0 };
    },
  };
}
