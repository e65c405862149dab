import { Worker } from "node:worker_threads";
import { AppError, type ErrorCode, type ToldFailure } from "@parley/core";
import { knowledgeFailure } from "../said-failures.ts";
import type { GivenFile, ReadOutcome } from "./read-document.ts";
import type { ReaderAnswer } from "./reader-worker.ts";

const LIMIT_MS = 120_000;
const MEMORY_MB = 512;

/** Reads a file in a thread that is ended when it takes too long, too much memory, or nobody waits any more. */
export async function readFile(file: GivenFile, signal: AbortSignal, limitMs = LIMIT_MS): Promise<ReadOutcome> {
  signal.throwIfAborted();
  const name = import.meta.url.endsWith(".ts") ? "./reader-worker.ts" : "./reader-worker.js";
  const worker = new Worker(new URL(name, import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    // What a library says of a file is no log of ours.
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadOutcome>();
  const late = setTimeout(() => reject(knowledgeFailure("bad_request", "late")), limitMs);
  const left = () => reject(signal.reason as Error);
  signal.addEventListener("abort", left, { once: true });
  worker.on("message", (answer: ReaderAnswer) => {
    if ("outcome" in answer) resolve(answer.outcome);
    else reject(failureOf(answer.failure));
  });
  worker.on("error", (cause) => reject(knowledgeFailure("bad_request", "memory", {}, { cause })));
  worker.on("exit", () => reject(knowledgeFailure("bad_request", "unreadable")));
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", left);
    await worker.terminate();
  }
}

function failureOf({ code, error, detail }: ToldFailure): AppError {
  return new AppError(code as ErrorCode, error, detail && { detail });
}
