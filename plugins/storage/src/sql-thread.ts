import { Worker } from "node:worker_threads";
import type { SentStatement, SqlStatement, SqlTarget, SqlTask, UnitAnswer, WorkerRequest } from "./sqlite-worker.ts";

const MAX_NUMBERED_TEXTS = 500;

/** A thread that executes statements. Tasks run in order, whichever connection they are for. */
export interface SqlThread extends AsyncDisposable {
  /** Never rejects: a thread that has ended answers with the failure. */
  run(target: SqlTarget, task: SqlTask): Promise<readonly UnitAnswer[]>;
  /** Number of messages sent to the thread. */
  getMessageCount(): number;
}

/** Answer of a closed thread: SQLite's code for a failed read or write. */
export const CLOSED_ANSWER: readonly UnitAnswer[] = [{ failure: { code: 10, message: "the storage is closed" } }];

/** Creates a thread that starts with its first task, since a thread takes 10 MB. */
export function createSqlThread(): SqlThread {
  const numbers = createTextNumbers();
  const asked: ((answers: readonly UnitAnswer[]) => void)[] = [];
  let started: Worker | undefined;
  let count = 0;
  let ended: readonly UnitAnswer[] | undefined;
  const end = (failure: readonly UnitAnswer[]) => {
    ended ??= failure;
    for (const resolve of asked.splice(0)) resolve(ended);
  };
  const start = (): Worker => {
    const name = import.meta.url.endsWith(".ts") ? "./sqlite-worker.ts" : "./sqlite-worker.js";
    const worker = new Worker(new URL(name, import.meta.url));
    worker.on("message", (answers: readonly UnitAnswer[]) => asked.shift()?.(answers));
    worker.on("error", ({ message }) => end([{ failure: { code: 10, message } }]));
    worker.on("exit", () => end(CLOSED_ANSWER));
    return worker;
  };
  return {
    run: (target, task) =>
      new Promise((resolve) => {
        if (ended) return resolve(ended);
        started ??= start();
        const sent = toSentTask(task, numbers.sent);
        // Throws for values that cannot be sent; no response is awaited then.
        started.postMessage({ target, texts: numbers.fresh(), task: sent } satisfies WorkerRequest);
        asked.push(resolve);
        count += 1;
      }),
    getMessageCount: () => count,
    async [Symbol.asyncDispose]() {
      end(CLOSED_ANSWER);
      await started?.terminate();
    },
  };
}

function toSentTask(task: SqlTask, sent: (statement: SqlStatement) => SentStatement): SqlTask<SentStatement> {
  if (task.kind === "units") return { kind: "units", units: task.units.map((unit) => unit.map(sent)) };
  return task.kind === "statement" ? { kind: "statement", statement: sent(task.statement) } : task;
}

/** Numbers the texts of statements, so that each is sent to the thread only once. */
function createTextNumbers() {
  const numbers = new Map<string, number>();
  const fresh: (readonly [number, string])[] = [];
  return {
    sent(statement: SqlStatement): SentStatement {
      const { sql } = statement;
      const known = numbers.get(sql);
      if (known !== undefined) return { ...statement, sql: known };
      if (numbers.size >= MAX_NUMBERED_TEXTS) return statement;
      numbers.set(sql, numbers.size);
      fresh.push([numbers.size - 1, sql]);
      return { ...statement, sql: numbers.size - 1 };
    },
    /** Returns the texts that the thread does not have yet. */
    fresh: () => fresh.splice(0),
  };
}
