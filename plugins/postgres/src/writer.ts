import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { undone } from "@parley/core";
import type { Client } from "pg";
import { isOfTheServer, known, sqlStateOf, unavailable } from "./failures.ts";
import { storageFailure } from "./said-failures.ts";
import type { Session } from "./session.ts";
import type { Run, Speech, SqlResult, SqlStatement } from "./statements.ts";

const MAX_UNITS = 256;
const ASK_AGAIN_MS = 500;
/** Fails where the row is marked as gone, and with it the transaction: a commit that is said behind it stores nothing. */
const MARK = `with marked as (update processes set note = $1 where id = $2 and gone_at is null returning id)
  select 1 / count(*) from marked`;
const DIVIDED_BY_ZERO = "22012";
const DEADLOCK = "40P01";
const MAX_TRIES = 5;
const NOTE = "select note from processes where id = $1";
const NOTHING: SqlResult = { rows: [], changes: 0 };

/** The one connection that writes. Calls are done one after another. */
export interface Writer {
  /** All statements or none, on disk when it resolves; calls that wait together share one commit. */
  write(unit: readonly SqlStatement[]): Promise<readonly SqlResult[]>;
  /** A transaction over several calls; others wait until it is released. */
  begin(): Promise<Transaction>;
  /** Calls that wait. */
  waiting(): number;
  /** Commits and transactions so far. */
  asked(): number;
  close(): Promise<void>;
}

export interface Transaction {
  readonly run: Run;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  release(): void;
}

/** Hears of every commit. */
export interface CommitWatch {
  failed(error: unknown): void;
  worked(): void;
}

export interface WriterParts {
  readonly session: Session;
  readonly speech: Speech;
  readonly watch: CommitWatch;
  /** The row in `processes` that each commit marks; undefined: of history. */
  readonly processId: string | undefined;
  /** A commit was refused: the other nodes took this one for dead. */
  readonly refused: () => void;
  /** Hears how long the server took to answer what costs it nothing. */
  readonly answered: (ms: number) => void;
}

interface Unit {
  readonly statements: readonly SqlStatement[];
  readonly resolve: (results: readonly SqlResult[]) => void;
  readonly reject: (error: Error) => void;
}

export function createWriter({ session, speech, watch, processId, refused, answered }: WriterParts): Writer {
  const units: Unit[] = [];
  const turns: { readonly take: () => Promise<void>; readonly reject: (error: Error) => void }[] = [];
  const own = randomUUID();
  let commits = 0;
  let isBusy = false;
  let isClosed = false;
  /** While it is not known what became of a commit, and the server is away: nobody else waits for that. */
  let isAway = false;

  const refuseWaiting = (error: unknown) => {
    for (const { reject } of [...units.splice(0), ...turns.splice(0)]) reject(known(error));
  };
  const isStored = async (mark: string): Promise<boolean> => {
    for (;;) {
      try {
        const client = await session.connection();
        const { rows } = await client.query<{ note: string }>(NOTE, [processId]);
        isAway = false;
        return rows[0]?.note === mark;
      } catch (error) {
        if (isClosed) throw error;
        session.drop();
        isAway = true;
        refuseWaiting(unavailable(error));
        await wait(ASK_AGAIN_MS, undefined, { ref: false });
      }
    }
  };
  const commit = async (client: Client) => {
    commits += 1;
    const mark = `${own} ${commits}`;
    const marking = processId === undefined ? Promise.resolve() : client.query(MARK, [mark, processId]);
    const [marked, ended] = await Promise.allSettled([marking, client.query("commit")]);
    if (ended.status === "fulfilled" && marked.status === "fulfilled") return;
    const error = marked.status === "rejected" ? marked.reason : (ended as PromiseRejectedResult).reason;
    if (sqlStateOf(error) === DIVIDED_BY_ZERO && marked.status === "rejected") {
      refused();
      throw storageFailure("unavailable", "taken_for_dead", {}, { cause: error, retryAfterS: 1 });
    }
    // The server has said no, so it is undone; without an answer it may be stored.
    if (sqlStateOf(error) !== undefined && !isEndOfConnection(error)) throw error;
    session.drop();
    if (processId === undefined || !(await isStored(mark))) throw error;
  };
  const undo = async (client: Client) => {
    // Whatever goes wrong now, nothing may be said in a transaction that is left open.
    await client.query("rollback").catch(() => session.drop());
  };
  /** One wait for all statements and one for the commit; undefined where a statement was said that is to be left out. */
  const together = async (client: Client, batch: readonly Unit[]) => {
    const run: Run = (statement) => speech.say(client, statement);
    const begunMs = performance.now();
    const begun = client.query("begin").then(() => answered(performance.now() - begunMs));
    const said = batch.map(({ statements }) => sayAtOnce(run, statements));
    const results = await Promise.allSettled([begun, ...said.map(answersOf)]);
    const failed = results.find((one) => one.status === "rejected");
    const isApart = failed ? batch.some(hasCondition) && !isOfTheServer(failed.reason) : await anyLeftOut(batch, said);
    if (failed || isApart) await undo(client);
    if (isApart) return undefined;
    if (failed) throw failed.reason;
    await commit(client);
    return results.slice(1).map((one) => (one as PromiseFulfilledResult<readonly SqlResult[]>).value);
  };
  /** Each so that it hurts only itself. */
  const apart = async (client: Client, batch: readonly Unit[]) => {
    const run: Run = (statement) => speech.say(client, statement);
    const ends: (() => void)[] = [];
    try {
      await client.query("begin");
      for (const { statements, resolve, reject } of batch) {
        await client.query("savepoint unit");
        try {
          const results = await answersOf(await sayAll(run, statements));
          ends.push(() => resolve(results));
        } catch (error) {
          if (isOfTheServer(error)) throw error;
          await client.query("rollback to unit");
          ends.push(() => reject(known(error)));
        }
      }
    } catch (error) {
      await undo(client);
      throw error;
    }
    await commit(client);
    for (const end of ends) end();
  };
  const store = async (batch: readonly Unit[], tries = 1): Promise<void> => {
    try {
      const client = await session.connection();
      try {
        const results = await together(client, batch);
        if (!results) await apart(client, batch);
        for (const [at, { resolve }] of batch.entries()) if (results) resolve(results[at] ?? []);
      } catch (error) {
        if (batch.length === 1 || isOfTheServer(error)) throw error;
        await apart(client, batch);
      }
      watch.worked();
    } catch (error) {
      // Two nodes waited for each other: the server undid one of them.
      if (sqlStateOf(error) === DEADLOCK && tries < MAX_TRIES) return store(batch, tries + 1);
      if (isOfTheServer(error)) watch.failed(error);
      for (const { reject } of batch) reject(known(error));
    }
  };
  // A commit takes everything that has come together while the last one ran.
  const pump = async () => {
    if (isBusy) return;
    isBusy = true;
    while (units.length > 0 || turns.length > 0) await (turns.shift()?.take() ?? store(units.splice(0, MAX_UNITS)));
    isBusy = false;
  };
  const transactionOn = (client: Client, release: () => void): Transaction => ({
    run: (statement) =>
      speech.say(client, statement, { isPatient: true }).catch((error) => Promise.reject(known(error))),
    async commit() {
      await commit(client).catch((error) => Promise.reject(known(error)));
      watch.worked();
    },
    rollback: () => undo(client),
    release,
  });
  /** Holds the connection until it is released. */
  const turn = async (): Promise<Transaction & { readonly released: Promise<void> }> => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const client = await session.connection();
    // A step of a schema takes its time.
    await client.query("begin; set local statement_timeout = 0");
    return { ...transactionOn(client, release), released };
  };

  return {
    write: (statements) =>
      new Promise((resolve, reject) => {
        if (isAway) return reject(unavailable(new Error("the server is away")));
        units.push({ statements, resolve, reject });
        void pump();
      }),
    begin: () =>
      new Promise((resolve, reject) => {
        if (isAway) return reject(unavailable(new Error("the server is away")));
        const take = async () => {
          try {
            const { released, ...transaction } = await turn();
            resolve(transaction);
            await released;
          } catch (error) {
            if (isOfTheServer(error)) watch.failed(error);
            reject(known(error));
          }
        };
        turns.push({ take, reject });
        void pump();
      }),
    waiting: () => units.length + turns.length,
    asked: () => commits,
    async close() {
      const { promise: isDone, resolve } = Promise.withResolvers<void>();
      const take = async () => {
        while (units.length > 0) await store(units.splice(0, MAX_UNITS));
        resolve();
      };
      turns.push({ take, reject: () => resolve() });
      void pump();
      if (!isAway) await isDone;
      isClosed = true;
      await session.close();
    },
  };
}

/** Says the statements without waiting for answers, as if none were to be left out. */
function sayAtOnce(run: Run, unit: readonly SqlStatement[]): readonly Promise<SqlResult>[] {
  return unit.map((statement) => {
    const answer = counted(run(statement), statement);
    // Its failure is told when all have been said.
    answer.catch(() => {});
    return answer;
  });
}

function hasCondition({ statements }: Unit): boolean {
  return statements.some(({ ifChanged }) => ifChanged);
}

/** Whether one was said behind another that changed nothing, on which it depends. */
async function anyLeftOut(batch: readonly Unit[], said: readonly (readonly Promise<SqlResult>[])[]): Promise<boolean> {
  for (const [at, { statements }] of batch.entries()) {
    for (const [index, { ifChanged }] of statements.entries()) {
      const before = ifChanged && (await said[at]?.[index - 1]);
      if (before && before.changes === 0) return true;
    }
  }
  return false;
}

/** Says the statements, each that depends on the one before it after that one's answer. */
async function sayAll(run: Run, unit: readonly SqlStatement[]): Promise<readonly Promise<SqlResult>[]> {
  const said: Promise<SqlResult>[] = [];
  for (const statement of unit) {
    const before = statement.ifChanged && said.at(-1);
    const isLeftOut = before
      ? await before.then(
          ({ changes }) => changes === 0,
          () => true,
        )
      : false;
    const answer = isLeftOut ? Promise.resolve(NOTHING) : counted(run(statement), statement);
    // Its failure is told when all have been said.
    answer.catch(() => {});
    said.push(answer);
  }
  return said;
}

/** The first failure in the order of the statements: those after it only say that the transaction has failed. */
async function answersOf(said: readonly Promise<SqlResult>[]): Promise<readonly SqlResult[]> {
  const answers: SqlResult[] = [];
  for (const one of said) answers.push(await one);
  return answers;
}

async function counted(answer: Promise<SqlResult>, { expect, ...told }: SqlStatement): Promise<SqlResult> {
  const result = await answer;
  if (expect === undefined || result.changes === expect) return result;
  const cause = new Error(`${result.changes} rows instead of ${expect}`);
  if (told.otherwise === undefined) throw storageFailure("conflict", "changed", {}, { cause });
  throw undone(told, cause);
}

/** The server ended the connection in the middle of it: it may have stored it before. */
function isEndOfConnection(error: unknown): boolean {
  return /^(57P0|08)/.test(sqlStateOf(error) ?? "");
}
