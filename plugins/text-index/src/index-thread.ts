import { Worker } from "node:worker_threads";
import { AppError, type Logger } from "@parley/core";
import type { IndexAnswer, IndexAnswers, IndexTask } from "./index-worker.ts";

/** The thread in which texts are looked through. Tasks are done one after another. */
export interface IndexThread extends AsyncDisposable {
  ask<Kind extends IndexTask["kind"]>(task: Extract<IndexTask, { readonly kind: Kind }>): Promise<IndexAnswers[Kind]>;
  /** How often the thread was started: what it was told before is forgotten then. */
  generation(): number;
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Started by its first task; one that ends is started anew by the next. */
export function createIndexThread(log: Logger): IndexThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let isClosed = false;
  let asked = 0;
  let generation = 0;
  const end = (error: Error) => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const start = (): Worker => {
    const name = import.meta.url.endsWith(".ts") ? "./index-worker.ts" : "./index-worker.js";
    const started = new Worker(new URL(name, import.meta.url));
    started.unref();
    generation += 1;
    started.on("message", (answer: IndexAnswer) => {
      const one = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("failure" in answer) one?.reject(new AppError("internal", `the index failed: ${answer.failure}`));
      else one?.resolve(answer.value as never);
    });
    started.on("error", (error) => {
      log.error("the thread of the text index failed", { error });
      end(new AppError("unavailable", "the text index failed", { cause: error }));
    });
    started.on("exit", () => {
      if (worker === started) end(new AppError("unavailable", "the text index is closed"));
    });
    return started;
  };
  return {
    ask: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new AppError("unavailable", "the text index is closed"));
        worker ??= start();
        asked += 1;
        waiting.set(asked, { resolve, reject });
        worker.postMessage({ id: asked, task });
      }),
    generation: () => generation,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const running = worker;
      end(new AppError("unavailable", "the text index is closed"));
      await running?.terminate();
    },
  };
}
