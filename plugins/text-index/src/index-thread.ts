import { Worker } from "node:worker_threads";
import { AppError, type Logger } from "@parley/core";
import type { IndexAnswer, IndexAnswers, IndexTask } from "./index-worker.ts";
import { indexFailure } from "./said-failures.ts";

/** The thread in which texts are looked through. Who searches does not wait for what is only to be stored. */
export interface IndexThread extends AsyncDisposable {
  ask<Kind extends IndexTask["kind"]>(task: Extract<IndexTask, { readonly kind: Kind }>): Promise<IndexAnswers[Kind]>;
  /** How often the thread was started: what it was told before is forgotten then. */
  generation(): number;
}

interface Waiting {
  readonly task: IndexTask;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Tasks that are in the thread at once: what many have asked comes back over many turns of the event loop. */
const IN_THREAD = 3;

/** Started by its first task; one that ends is started anew by the next. */
export function createIndexThread(log: Logger): IndexThread {
  const waiting = new Map<number, Waiting>();
  const searches: Waiting[] = [];
  const others: Waiting[] = [];
  let worker: Worker | undefined;
  let isClosed = false;
  let asked = 0;
  let generation = 0;
  const end = (error: Error) => {
    worker = undefined;
    for (const { reject } of [...waiting.values(), ...searches.splice(0), ...others.splice(0)]) reject(error);
    waiting.clear();
  };
  const send = () => {
    while (waiting.size < IN_THREAD) {
      const next = searches.shift() ?? others.shift();
      if (!next) return;
      worker ??= start();
      asked += 1;
      waiting.set(asked, next);
      worker.postMessage({ id: asked, task: next.task });
    }
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
      send();
    });
    started.on("error", (error) => {
      log.error("the thread of the text index failed", { error });
      end(indexFailure("unavailable", "failed", {}, { cause: error }));
    });
    started.on("exit", () => {
      if (worker === started) end(indexFailure("unavailable", "closed"));
    });
    return started;
  };
  return {
    ask: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(indexFailure("unavailable", "closed"));
        (isSearch(task) ? searches : others).push({ task, resolve, reject });
        send();
      }),
    generation: () => generation,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const running = worker;
      end(indexFailure("unavailable", "closed"));
      await running?.terminate();
    },
  };
}

const isSearch = ({ kind }: IndexTask): boolean => kind === "rank" || kind === "nearest";
