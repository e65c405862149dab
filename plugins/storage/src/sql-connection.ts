import { AppError, createUndoneError, toSharedError } from "@parley/core";
import { CLOSED_ANSWER, type SqlThread } from "./sql-thread.ts";
import type { SqlFailure, SqlResult, SqlStatement, SqlTarget, SqlTask, UnitAnswer } from "./sqlite-worker.ts";

const CONSTRAINT = 19;
const UNAVAILABLE_CODES = new Set([5, 6, 8, 10, 13, 14]);
const DAMAGED_CODES = new Set([11, 26]);
const COMMIT = /^\s*commit\b/i;
const MAX_BATCH_SIZE = 256;

/** A connection in a worker thread. Calls run one after another. */
export interface SqlConnection {
  /** Runs all statements or none; they are on disk when it resolves, except for the history. Calls that wait together share one commit. */
  write(unit: readonly SqlStatement[]): Promise<readonly SqlResult[]>;
  /** Runs one statement, without waiting for other calls. */
  run(statement: SqlStatement): Promise<SqlResult>;
  /** Runs `work` with exclusive access, for transactions over several calls. */
  exclusively<T>(work: (turn: SqlTurn) => Promise<T>): Promise<T>;
  /** Returns the number of waiting calls. */
  getPendingCount(): number;
  close(): Promise<void>;
}

/** Exclusive access to a connection. */
export interface SqlTurn {
  /** Runs a statement in the current transaction. */
  run(statement: SqlStatement): Promise<SqlResult>;
  /** Runs all statements or none in a separate transaction, with one message to the thread. */
  write(unit: readonly SqlStatement[]): Promise<readonly SqlResult[]>;
}

/** Observes commits. */
export interface CommitWatch {
  onFailed(failure: SqlFailure): void;
  onCommitted(): void;
}

interface PendingUnit {
  readonly statements: readonly SqlStatement[];
  readonly resolve: (results: readonly SqlResult[]) => void;
  readonly reject: (error: Error) => void;
}

export function createSqlConnection(thread: SqlThread, target: SqlTarget, watch?: CommitWatch): SqlConnection {
  const units: PendingUnit[] = [];
  const turns: (() => Promise<void>)[] = [];
  let isBusy = false;
  let isOpen = false;
  let isClosed = false;

  const ask = async (task: SqlTask): Promise<readonly UnitAnswer[]> => {
    // The thread would reopen the file.
    if (isClosed) return CLOSED_ANSWER;
    isOpen = true;
    return thread.run(target, task);
  };
  const reportOutcome = (answers: readonly UnitAnswer[]) => {
    const failed = answers.find((answer) => "failure" in answer && UNAVAILABLE_CODES.has(answer.failure.code));
    if (failed && "failure" in failed) watch?.onFailed(failed.failure);
    else if (answers.some((answer) => "results" in answer)) watch?.onCommitted();
  };
  const runOne = async (statement: SqlStatement) => {
    const answers = await ask({ kind: "statement", statement });
    const [answer] = answers;
    if (COMMIT.test(statement.sql) || (answer && "failure" in answer)) reportOutcome(answers);
    return toResults(answer)[0] ?? { rows: [], changes: 0 };
  };
  const runUnit = async (statements: readonly SqlStatement[]) => {
    const answers = await ask({ kind: "units", units: [statements] });
    reportOutcome(answers);
    return toResults(answers[0]);
  };
  const commit = async () => {
    const batch = units.splice(0, MAX_BATCH_SIZE);
    const answers = await ask({ kind: "units", units: batch.map(({ statements }) => statements) });
    reportOutcome(answers);
    for (const [index, { resolve, reject }] of batch.entries()) {
      try {
        resolve(toResults(answers[index] ?? answers[0]));
      } catch (error) {
        reject(error as Error);
      }
    }
  };
  // A commit includes everything that was queued during the previous commit.
  const runQueue = async () => {
    if (isBusy) return;
    isBusy = true;
    while (units.length > 0 || turns.length > 0) {
      const turn = turns.shift();
      if (turn) await turn();
      else await commit();
    }
    isBusy = false;
  };
  const addTurn = <T>(work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      turns.push(() => work().then(resolve, reject));
      void runQueue();
    });

  return {
    write: (statements) =>
      new Promise((resolve, reject) => {
        units.push({ statements, resolve, reject });
        void runQueue();
      }),
    run: runOne,
    exclusively: (work) => addTurn(() => work({ run: runOne, write: runUnit })),
    getPendingCount: () => units.length + turns.length,
    async close() {
      await addTurn(async () => {});
      const closed = isOpen ? ask({ kind: "close" }) : undefined;
      isClosed = true;
      await closed;
    },
  };
}

function toResults(answer: UnitAnswer | undefined): readonly SqlResult[] {
  if (answer === undefined) throw createUnavailableError(new Error("the storage did not answer"));
  if ("failure" in answer) throw toAppError(answer.failure);
  return answer.results;
}

/** Returns SQLite's error of a failed statement. */
export function getSqlFailure(error: unknown): SqlFailure | undefined {
  const { cause } = error as { readonly cause?: Partial<SqlFailure> };
  return cause?.code === undefined ? undefined : { code: cause.code, message: cause.message ?? "" };
}

/** Converts SQLite's codes to ours; its own message is the cause. */
function toAppError({ code, message, otherwise, otherwiseDetail }: SqlFailure): Error {
  const cause = Object.assign(new Error(message), { code });
  if (code === 0) {
    return createUndoneError(
      { ...(otherwise !== undefined && { otherwise }), ...(otherwiseDetail && { otherwiseDetail }) },
      cause,
    );
  }
  if (code === CONSTRAINT) return toSharedError("conflict", "record_exists", {}, { cause });
  if (UNAVAILABLE_CODES.has(code)) return createUnavailableError(cause);
  if (DAMAGED_CODES.has(code)) return toSharedError("unavailable", "storage_damaged", {}, { cause });
  return new AppError("internal", "a statement failed", { cause });
}

function createUnavailableError(cause: Error): AppError {
  return toSharedError("unavailable", "storage_busy", {}, { cause, retryAfterS: 1 });
}
