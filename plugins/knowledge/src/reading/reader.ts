import { Worker } from "node:worker_threads";
import { AppError, type ErrorCode, type ToldFailure } from "@parley/core";
import { knowledgeFailure } from "../said-failures.ts";
import { createLane } from "./lanes.ts";
import type { GivenFile, ReadOutcome } from "./read-document.ts";
import type { ReaderAnswer } from "./reader-worker.ts";

/** Most documents take less; what takes more goes on alone, so that it keeps none of them waiting. */
const SHORT_MS = 10_000;
const LONG_MS = 60_000;
const MEMORY_MB = 512;
const LOOK_EVERY_MS = 100;

const short = createLane(2, 1_000);
const long = createLane(1, 8);

/** Time limits for reading a document, at first and in the slow lane. */
export interface ReadLimits {
  readonly shortMs: number;
  readonly longMs: number;
}

/**
 * Reads a file in a thread that is ended when it takes too long, too much memory, or nobody waits any more. One that is heavy
 * is read again in a place for those alone.
 */
export async function readFile(
  file: GivenFile,
  signal: AbortSignal,
  { shortMs, longMs }: ReadLimits = { shortMs: SHORT_MS, longMs: LONG_MS },
): Promise<ReadOutcome> {
  const late = () => knowledgeFailure("bad_request", "late");
  const first = await short.run(signal, late, () => readWithin(file, signal, shortMs)).catch(unlessLate);
  return first ?? long.run(signal, late, () => readWithin(file, signal, longMs));
}

function unlessLate(error: unknown): undefined {
  if (AppError.is(error) && error.detail?.key === LATE) return undefined;
  throw error;
}

const LATE = "knowledge.late";

async function readWithin(file: GivenFile, signal: AbortSignal, limitMs: number): Promise<ReadOutcome> {
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
  const watch = watchMemory(worker, () => reject(knowledgeFailure("bad_request", "memory")));
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
    clearInterval(watch);
    signal.removeEventListener("abort", left);
    await worker.terminate();
  }
}

/** The limit of a thread holds for its objects; what it unpacks lies beside them. */
function watchMemory(worker: Worker, exceeded: () => void): NodeJS.Timeout {
  return setInterval(async () => {
    const used = await worker.getHeapStatistics().catch(() => undefined);
    if (used && used.total_heap_size + used.external_memory > MEMORY_MB * 1024 * 1024) exceeded();
  }, LOOK_EVERY_MS);
}

function failureOf({ code, error, detail }: ToldFailure): AppError {
  return new AppError(code as ErrorCode, error, detail && { detail });
}
