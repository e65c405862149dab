import { Worker } from "node:worker_threads";
import type { Logger } from "@parley/core";
import { raceWithSignal } from "@parley/core/async";
import type { EncodeReply, EncodeTask } from "./encoder-worker.ts";
import { encoderTexts } from "./texts.ts";

/** Computes vectors of texts in a thread of its own. */
export interface Encoder extends AsyncDisposable {
  /** Returns a vector of 512 numbers for each text; zeros for one that is not mainly in Latin letters. Rejects with `unavailable` when the thread ended. */
  encode(texts: readonly string[], signal?: AbortSignal): Promise<readonly number[][]>;
}

/** Creates the encoder. Its thread loads the model with the first texts, and starts again after it ended. */
export function createEncoder(log: Pick<Logger, "error">): Encoder {
  const waiting = new Map<number, PromiseWithResolvers<readonly number[][]>>();
  let worker: Worker | undefined;
  let isClosed = false;
  let lastId = 0;
  const end = (error: Error) => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const receive = (answer: EncodeReply) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("failure" in answer) asked?.reject(encoderTexts.error("unavailable", "failed", { why: answer.failure }));
    else asked?.resolve(answer.vectors);
  };
  const start = (): Worker => {
    const name = import.meta.url.endsWith(".ts") ? "./encoder-worker.ts" : "./encoder-worker.js";
    const started = new Worker(new URL(name, import.meta.url));
    started.unref();
    started.on("message", receive);
    started.on("error", (error) => {
      log.error("the thread of the sentence encoder failed", { error });
      end(encoderTexts.error("unavailable", "failed", { why: error.message }, { cause: error }));
    });
    started.on("exit", () => {
      if (worker === started) end(encoderTexts.error("unavailable", "closed"));
    });
    return started;
  };
  return {
    async encode(texts, signal) {
      if (isClosed) throw encoderTexts.error("unavailable", "closed");
      signal?.throwIfAborted();
      worker ??= start();
      lastId += 1;
      const asked = Promise.withResolvers<readonly number[][]>();
      waiting.set(lastId, asked);
      worker.postMessage({ id: lastId, texts } satisfies EncodeTask);
      return signal ? raceWithSignal(asked.promise, signal) : asked.promise;
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const running = worker;
      end(encoderTexts.error("unavailable", "closed"));
      await running?.terminate();
    },
  };
}
