import { AppError } from "@parley/core";
import { CLOSED, type SqlThread } from "./sql-thread.ts";
import type { SqlFailure, SqlResult, SqlStatement, SqlTask, UnitAnswer } from "./sqlite-worker.ts";

const CONSTRAINT = 19;
const CANNOT_WRITE = new Set([5, 6, 8, 10, 13, 14]);
const DAMAGED = new Set([11, 26]);
const MAX_UNITS = 256;

/** One connection in a thread. Calls are done one after another. */
export interface SqlConnection {
  /** All statements or none, on disk when it resolves; calls that wait together share one commit. */
  write(unit: readonly SqlStatement[]): Promise<readonly SqlResult[]>;
  /** One statement by itself. */
  run(statement: SqlStatement): Promise<SqlResult>;
  /** Keeps others out until `work` is done: for transactions over several calls. */
  exclusively<T>(work: (run: (statement: SqlStatement) => Promise<SqlResult>) => Promise<T>): Promise<T>;
  /** Calls that wait. */
  waiting(): number;
  close(): Promise<void>;
}

interface Unit {
  readonly statements: readonly SqlStatement[];
  readonly resolve: (results: readonly SqlResult[]) => void;
  readonly reject: (error: Error) => void;
}

export function createSqlConnection(thread: SqlThread, file: string): SqlConnection {
  const units: Unit[] = [];
  const turns: (() => Promise<void>)[] = [];
  let isBusy = false;
  let isClosed = false;

  // The thread would open the file anew.
  const ask = async (task: SqlTask): Promise<readonly UnitAnswer[]> => (isClosed ? CLOSED : thread.ask(file, task));
  const one = async (statement: SqlStatement) => {
    const [answer] = await ask({ kind: "statement", statement });
    return resultsOf(answer)[0] ?? { rows: [], changes: 0 };
  };
  const commit = async () => {
    const batch = units.splice(0, MAX_UNITS);
    const answers = await ask({ kind: "units", units: batch.map(({ statements }) => statements) });
    for (const [index, { resolve, reject }] of batch.entries()) {
      try {
        resolve(resultsOf(answers[index] ?? answers[0]));
      } catch (error) {
        reject(error as Error);
      }
    }
  };
  // A commit takes everything that has come together while the last one ran.
  const pump = async () => {
    if (isBusy) return;
    isBusy = true;
    while (units.length > 0 || turns.length > 0) {
      const turn = turns.shift();
      if (turn) await turn();
      else await commit();
    }
    isBusy = false;
  };
  const take = <T>(work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      turns.push(() => work().then(resolve, reject));
      void pump();
    });

  return {
    write: (statements) =>
      new Promise((resolve, reject) => {
        units.push({ statements, resolve, reject });
        void pump();
      }),
    run: one,
    exclusively: (work) => take(() => work(one)),
    waiting: () => units.length + turns.length,
    async close() {
      await take(async () => {});
      const closed = ask({ kind: "close" });
      isClosed = true;
      await closed;
    },
  };
}

function resultsOf(answer: UnitAnswer | undefined): readonly SqlResult[] {
  if (answer === undefined) throw unavailable(new Error("the storage did not answer"));
  if ("failure" in answer) throw known(answer.failure);
  return answer.results;
}

/** SQLite's codes as ours; its own words stay in the cause. */
function known({ code, message }: SqlFailure): Error {
  const cause = new Error(message);
  if (code === 0) return new AppError("conflict", "the record was changed meanwhile", { cause });
  if (code === CONSTRAINT) return new AppError("conflict", "a record with these values exists already", { cause });
  if (CANNOT_WRITE.has(code)) return unavailable(cause);
  if (DAMAGED.has(code)) return new AppError("unavailable", "the database is damaged", { cause });
  return new AppError("internal", "a statement failed", { cause });
}

function unavailable(cause: Error): AppError {
  return new AppError("unavailable", "the storage cannot take this now", { cause, retryAfterS: 1 });
}
