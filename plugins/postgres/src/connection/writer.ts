import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createUndoneError } from "@parley/core";
import type { Client } from "pg";
import { postgresTexts } from "../texts.ts";
import type { LazyConnection } from "./connections.ts";
import { createUnavailableError, getSqlState, isServerFailure, isStalePlan, toAppError } from "./failures.ts";
import type { Run, SqlResult, SqlStatement, StatementExecutor } from "./statements.ts";

const MAX_BATCH_SIZE = 256;
const RETRY_MS = 500;
/** Marks the commit in the node's row. If the node counts as gone, this fails and with it the transaction. */
const MARK_COMMIT = `with marked as (update processes set note = $1 where id = $2 and gone_at is null returning id)
  select 1 / count(*) from marked`;
const DIVIDED_BY_ZERO = "22012";
const DEADLOCK = "40P01";
const MAX_RETRIES = 5;
const READ_MARK = "select note from processes where id = $1";
const EMPTY_RESULT: SqlResult = { rows: [], changes: 0 };

/** The one connection that writes. Calls run one after another. */
export interface Writer {
  /** Runs all statements or none; they are on disk when it resolves, except for the history. Calls that wait together share one commit. */
  write(unit: readonly SqlStatement[]): Promise<readonly SqlResult[]>;
  /** Begins a transaction of several calls; others wait until it is released. */
  begin(): Promise<Transaction>;
  /** Returns the number of waiting calls. */
  getPendingCount(): number;
  /** Returns the number of commits and transactions since the start. */
  getCommitCount(): number;
  close(): Promise<void>;
}

export interface Transaction {
  readonly run: Run;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  release(): void;
}

/** Observes commits. */
export interface CommitWatch {
  onFailed(error: unknown): void;
  onCommitted(): void;
}

export interface WriterDeps {
  readonly connection: LazyConnection;
  readonly executor: StatementExecutor;
  readonly watch: CommitWatch;
  /** Id of the row in `processes` that each commit updates; undefined for the history. */
  readonly processId: string | undefined;
  /** Called when a commit was rejected because other nodes counted this one as gone. */
  readonly onRejected: () => void;
  /** Called with the round trip of trivial statements, in milliseconds. */
  readonly onRoundTrip: (ms: number) => void;
}

interface PendingUnit {
  readonly statements: readonly SqlStatement[];
  readonly resolve: (results: readonly SqlResult[]) => void;
  readonly reject: (error: Error) => void;
}

export function createWriter({ connection, executor, watch, processId, onRejected, onRoundTrip }: WriterDeps): Writer {
  const units: PendingUnit[] = [];
  const turns: { readonly take: () => Promise<void>; readonly reject: (error: Error) => void }[] = [];
  const own = randomUUID();
  let commits = 0;
  let isBusy = false;
  let isClosed = false;
  /** True while a commit's outcome is unknown and the server is unreachable; further calls fail instead of waiting. */
  let isAway = false;

  const rejectPending = (error: unknown) => {
    for (const { reject } of [...units.splice(0), ...turns.splice(0)]) reject(toAppError(error));
  };
  const isStored = async (mark: string): Promise<boolean> => {
    for (;;) {
      try {
        const client = await connection.getConnection();
        const { rows } = await client.query<{ note: string }>(READ_MARK, [processId]);
        isAway = false;
        return rows[0]?.note === mark;
      } catch (error) {
        if (isClosed) throw error;
        connection.drop();
        isAway = true;
        rejectPending(createUnavailableError(error));
        await wait(RETRY_MS, undefined, { ref: false });
      }
    }
  };
  const commit = async (client: Client) => {
    commits += 1;
    const mark = `${own} ${commits}`;
    const marking = processId === undefined ? Promise.resolve() : client.query(MARK_COMMIT, [mark, processId]);
    const [marked, ended] = await Promise.allSettled([marking, client.query("commit")]);
    if (ended.status === "fulfilled" && marked.status === "fulfilled") return;
    const error = marked.status === "rejected" ? marked.reason : (ended as PromiseRejectedResult).reason;
    if (getSqlState(error) === DIVIDED_BY_ZERO && marked.status === "rejected") {
      onRejected();
      throw postgresTexts.error("unavailable", "taken_for_dead", {}, { cause: error, retryAfterS: 1 });
    }
    // An error response means a rollback; without a response the commit may be stored.
    if (getSqlState(error) !== undefined && !isConnectionEnd(error)) throw error;
    connection.drop();
    if (processId === undefined || !(await isStored(mark))) throw error;
  };
  const rollBack = async (client: Client) => {
    // After any error, no statement may run in a transaction that was left open.
    await client.query("rollback").catch(() => connection.drop());
  };
  /** Commits a batch in two round trips; rolls back and returns undefined if a conditional statement must not run. */
  const commitBatch = async (client: Client, batch: readonly PendingUnit[]) => {
    const run: Run = (statement) => executor.execute(client, statement);
    const begunMs = performance.now();
    const begun = client.query("begin").then(() => onRoundTrip(performance.now() - begunMs));
    const batchResults = batch.map(({ statements }) => executePipelined(run, statements));
    const results = await Promise.allSettled([begun, ...batchResults.map(collectResults)]);
    const failed = results.find((one) => one.status === "rejected");
    const isApart = failed
      ? batch.some(hasCondition) && !isServerFailure(failed.reason)
      : await hasSkippedStatement(batch, batchResults);
    if (failed || isApart) await rollBack(client);
    if (isApart) return undefined;
    if (failed) throw failed.reason;
    await commit(client);
    return results.slice(1).map((one) => (one as PromiseFulfilledResult<readonly SqlResult[]>).value);
  };
  /** Commits a batch with a savepoint for each unit, so that a failing unit does not affect the others. */
  const commitSeparately = async (client: Client, batch: readonly PendingUnit[]) => {
    const run: Run = (statement) => executor.execute(client, statement);
    const ends: (() => void)[] = [];
    try {
      await client.query("begin");
      for (const { statements, resolve, reject } of batch) {
        await client.query("savepoint unit");
        try {
          const results = await collectResults(await executeInOrder(run, statements));
          ends.push(() => resolve(results));
        } catch (error) {
          if (isServerFailure(error)) throw error;
          await client.query("rollback to unit");
          ends.push(() => reject(toAppError(error)));
        }
      }
    } catch (error) {
      await rollBack(client);
      throw error;
    }
    await commit(client);
    for (const end of ends) end();
  };
  const store = async (batch: readonly PendingUnit[], tries = 1): Promise<void> => {
    try {
      const client = await connection.getConnection();
      try {
        const results = await commitBatch(client, batch);
        if (!results) await commitSeparately(client, batch);
        for (const [at, { resolve }] of batch.entries()) if (results) resolve(results[at] ?? []);
      } catch (error) {
        if (batch.length === 1 || isServerFailure(error)) throw error;
        await commitSeparately(client, batch);
      }
      watch.onCommitted();
    } catch (error) {
      if (isRepeatable(error) && tries < MAX_RETRIES) return store(batch, tries + 1);
      if (isServerFailure(error)) watch.onFailed(error);
      for (const { reject } of batch) reject(toAppError(error));
    }
  };
  // A commit includes everything that was queued during the previous commit.
  const runQueue = async () => {
    if (isBusy) return;
    isBusy = true;
    while (units.length > 0 || turns.length > 0)
      await (turns.shift()?.take() ?? store(units.splice(0, MAX_BATCH_SIZE)));
    isBusy = false;
  };
  const createTransaction = (client: Client, release: () => void): Transaction => ({
    run: (statement) =>
      executor.execute(client, statement, { hasNoTimeout: true }).catch((error) => Promise.reject(toAppError(error))),
    async commit() {
      await commit(client).catch((error) => Promise.reject(toAppError(error)));
      watch.onCommitted();
    },
    rollback: () => rollBack(client),
    release,
  });
  /** Reserves the connection until it is released. */
  const reserveTurn = async (): Promise<Transaction & { readonly released: Promise<void> }> => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const client = await connection.getConnection();
    // Migrations may take a long time.
    await client.query("begin; set local statement_timeout = 0");
    return { ...createTransaction(client, release), released };
  };

  return {
    write: (statements) =>
      new Promise((resolve, reject) => {
        if (isAway) return reject(createUnavailableError(new Error("the server is away")));
        units.push({ statements, resolve, reject });
        void runQueue();
      }),
    begin: () =>
      new Promise((resolve, reject) => {
        if (isAway) return reject(createUnavailableError(new Error("the server is away")));
        const take = async () => {
          try {
            const { released, ...transaction } = await reserveTurn();
            resolve(transaction);
            await released;
          } catch (error) {
            if (isServerFailure(error)) watch.onFailed(error);
            reject(toAppError(error));
          }
        };
        turns.push({ take, reject });
        void runQueue();
      }),
    getPendingCount: () => units.length + turns.length,
    getCommitCount: () => commits,
    async close() {
      const { promise: isDone, resolve } = Promise.withResolvers<void>();
      const take = async () => {
        while (units.length > 0) await store(units.splice(0, MAX_BATCH_SIZE));
        resolve();
      };
      turns.push({ take, reject: () => resolve() });
      void runQueue();
      if (!isAway) await isDone;
      isClosed = true;
      await connection.close();
    },
  };
}

/** True when the server rolled a commit back for a deadlock between two nodes, or because another node has just changed a table. */
function isRepeatable(error: unknown): boolean {
  return getSqlState(error) === DEADLOCK || isStalePlan(error);
}

/** Sends all statements without waiting for results, conditional ones too. */
function executePipelined(run: Run, unit: readonly SqlStatement[]): readonly Promise<SqlResult>[] {
  return unit.map((statement) => {
    const answer = checkRowCount(run(statement), statement);
    // Its error is reported after all statements were sent.
    answer.catch(() => {});
    return answer;
  });
}

function hasCondition({ statements }: PendingUnit): boolean {
  return statements.some(({ ifChanged }) => ifChanged);
}

/** True when a conditional statement was sent although the one before it changed nothing. */
async function hasSkippedStatement(
  batch: readonly PendingUnit[],
  results: readonly (readonly Promise<SqlResult>[])[],
): Promise<boolean> {
  for (const [at, { statements }] of batch.entries()) {
    for (const [index, { ifChanged }] of statements.entries()) {
      const before = ifChanged && (await results[at]?.[index - 1]);
      if (before && before.changes === 0) return true;
    }
  }
  return false;
}

/** Executes the statements in order; a conditional one waits for the result of the one before it. */
async function executeInOrder(run: Run, unit: readonly SqlStatement[]): Promise<readonly Promise<SqlResult>[]> {
  const results: Promise<SqlResult>[] = [];
  for (const statement of unit) {
    const before = statement.ifChanged && results.at(-1);
    const isLeftOut = before
      ? await before.then(
          ({ changes }) => changes === 0,
          () => true,
        )
      : false;
    const answer = isLeftOut ? Promise.resolve(EMPTY_RESULT) : checkRowCount(run(statement), statement);
    // Its error is reported after all statements were sent.
    answer.catch(() => {});
    results.push(answer);
  }
  return results;
}

/** Returns the first failure in statement order; later ones only report the failed transaction. */
async function collectResults(results: readonly Promise<SqlResult>[]): Promise<readonly SqlResult[]> {
  const answers: SqlResult[] = [];
  for (const one of results) answers.push(await one);
  return answers;
}

async function checkRowCount(answer: Promise<SqlResult>, { expect, ...told }: SqlStatement): Promise<SqlResult> {
  const result = await answer;
  if (expect === undefined || result.changes === expect) return result;
  const cause = new Error(`${result.changes} rows instead of ${expect}`);
  if (told.otherwise === undefined) throw postgresTexts.error("conflict", "changed", {}, { cause });
  throw createUndoneError(told, cause);
}

/** True when the server ended the connection during a commit, which may have been stored. */
function isConnectionEnd(error: unknown): boolean {
  return /^(57P0|08)/.test(getSqlState(error) ?? "");
}
