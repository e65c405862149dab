import { Worker } from "node:worker_threads";
import type { SentStatement, SqlStatement, SqlTask, UnitAnswer, WorkerRequest } from "./sqlite-worker.ts";

const MAX_NUMBERS = 500;

/** A thread for statements. Tasks are done one after another, whatever file they are for. */
export interface SqlThread extends AsyncDisposable {
  /** Never rejects: a thread that has ended answers with the failure. */
  ask(file: string, task: SqlTask): Promise<readonly UnitAnswer[]>;
}

/** What is answered when nobody is there any more: SQLite's code for a failed read or write. */
export const CLOSED: readonly UnitAnswer[] = [{ failure: { code: 10, message: "the storage is closed" } }];

/** Each thread takes 10 MB, so those that read share one, and only those that write have one for each file. */
export function createSqlThread(role: "reader" | "writer"): SqlThread {
  const name = import.meta.url.endsWith(".ts") ? "./sqlite-worker.ts" : "./sqlite-worker.js";
  const worker = new Worker(new URL(name, import.meta.url), { workerData: { isReader: role === "reader" } });
  const numbers = createNumbers();
  const asked: ((answers: readonly UnitAnswer[]) => void)[] = [];
  let ended: readonly UnitAnswer[] | undefined;
  const end = (failure: readonly UnitAnswer[]) => {
    ended ??= failure;
    for (const resolve of asked.splice(0)) resolve(ended);
  };
  worker.on("message", (answers: readonly UnitAnswer[]) => asked.shift()?.(answers));
  worker.on("error", ({ message }) => end([{ failure: { code: 10, message } }]));
  worker.on("exit", () => end(CLOSED));
  return {
    ask: (file, task) =>
      new Promise((resolve) => {
        if (ended) return resolve(ended);
        const sent = sentTask(task, numbers.sent);
        // Throws for what cannot be sent; then nobody must wait for an answer.
        worker.postMessage({ file, texts: numbers.fresh(), task: sent } satisfies WorkerRequest);
        asked.push(resolve);
      }),
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}

function sentTask(task: SqlTask, sent: (statement: SqlStatement) => SentStatement): SqlTask<SentStatement> {
  if (task.kind === "units") return { kind: "units", units: task.units.map((unit) => unit.map(sent)) };
  return task.kind === "statement" ? { kind: "statement", statement: sent(task.statement) } : task;
}

/** Gives each text a number, so that the thread need not be told it again. */
function createNumbers() {
  const numbers = new Map<string, number>();
  const fresh: (readonly [number, string])[] = [];
  return {
    sent(statement: SqlStatement): SentStatement {
      const { sql } = statement;
      const known = numbers.get(sql);
      if (known !== undefined) return { ...statement, sql: known };
      if (numbers.size >= MAX_NUMBERS) return statement;
      numbers.set(sql, numbers.size);
      fresh.push([numbers.size - 1, sql]);
      return { ...statement, sql: numbers.size - 1 };
    },
    /** What the thread does not know yet. */
    fresh: () => fresh.splice(0),
  };
}
