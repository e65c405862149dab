import { Worker } from "node:worker_threads";
import { AppError, type Logger } from "@parley/core";
import type { IndexReply, IndexResults, IndexTask } from "./index-worker.ts";
import { textIndexTexts } from "./texts.ts";

/** The thread that scans texts. Searches have precedence over indexing. */
export interface IndexThread extends AsyncDisposable {
  run<Kind extends IndexTask["kind"]>(task: Extract<IndexTask, { readonly kind: Kind }>): Promise<IndexResults[Kind]>;
  /** Number of starts of the thread; a restart loses its earlier data. */
  getGeneration(): number;
}

interface PendingTask {
  readonly task: IndexTask;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Maximum concurrent tasks in the thread, so that their results arrive over several turns of the event loop. */
const MAX_IN_FLIGHT = 3;

/** Creates the index thread, which starts with its first task, and again after it ended. */
export function createIndexThread(log: Logger): IndexThread {
  const waiting = new Map<number, PendingTask>();
  const searches: PendingTask[] = [];
  const others: PendingTask[] = [];
  let worker: Worker | undefined;
  let isClosed = false;
  let lastId = 0;
  let generation = 0;
  const end = (error: Error) => {
    worker = undefined;
    for (const { reject } of [...waiting.values(), ...searches.splice(0), ...others.splice(0)]) reject(error);
    waiting.clear();
  };
  const send = () => {
    while (waiting.size < MAX_IN_FLIGHT) {
      const next = searches.shift() ?? others.shift();
      if (!next) return;
      worker ??= start();
      lastId += 1;
      waiting.set(lastId, next);
      worker.postMessage({ id: lastId, task: next.task });
    }
  };
  const start = (): Worker => {
    const name = import.meta.url.endsWith(".ts") ? "./index-worker.ts" : "./index-worker.js";
    const started = new Worker(new URL(name, import.meta.url));
    started.unref();
    generation += 1;
    started.on("message", (answer: IndexReply) => {
      const one = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("failure" in answer) one?.reject(new AppError("internal", `the index failed: ${answer.failure}`));
      else one?.resolve(answer.value as never);
      send();
    });
    started.on("error", (error) => {
      log.error("the thread of the text index failed", { error });
      end(textIndexTexts.error("unavailable", "failed", {}, { cause: error }));
    });
    started.on("exit", () => {
      if (worker === started) end(textIndexTexts.error("unavailable", "closed"));
    });
    return started;
  };
  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(textIndexTexts.error("unavailable", "closed"));
        (isSearchTask(task) ? searches : others).push({ task, resolve, reject });
        send();
      }),
    getGeneration: () => generation,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const running = worker;
      end(textIndexTexts.error("unavailable", "closed"));
      await running?.terminate();
    },
  };
}

const isSearchTask = ({ kind }: IndexTask): boolean => kind === "rank" || kind === "nearest";
