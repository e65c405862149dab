import { Worker } from "node:worker_threads";
import type { SqlRequest, UnitAnswer, WorkerRequest } from "./sqlite-worker.ts";

/** A thread for statements. Requests are done one after another, whatever file they are for. */
export interface SqlThread extends AsyncDisposable {
  /** Never rejects: a thread that has ended answers with the failure. */
  ask(file: string, request: SqlRequest): Promise<readonly UnitAnswer[]>;
}

/** What is answered when nobody is there any more: SQLite's code for a failed read or write. */
export const CLOSED: readonly UnitAnswer[] = [{ failure: { code: 10, message: "the storage is closed" } }];

/** Each thread takes 10 MB, so those that read share one, and only those that write have one for each file. */
export function createSqlThread(role: "reader" | "writer"): SqlThread {
  const name = import.meta.url.endsWith(".ts") ? "./sqlite-worker.ts" : "./sqlite-worker.js";
  const worker = new Worker(new URL(name, import.meta.url), { workerData: { isReader: role === "reader" } });
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
    ask: (file, request) =>
      new Promise((resolve) => {
        if (ended) return resolve(ended);
        asked.push(resolve);
        worker.postMessage({ file, request } satisfies WorkerRequest);
      }),
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}
