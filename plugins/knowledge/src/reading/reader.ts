import { Worker } from "node:worker_threads";
import { AppError, type ErrorCode, type LocalizedError } from "@parley/core";
import { knowledgeTexts } from "../texts.ts";
import { createConcurrencyLane } from "./concurrency-lane.ts";
import type { ReadOutcome, SourceFile } from "./read-document.ts";
import type { ReaderReply } from "./reader-worker.ts";

/** Timeout of most documents in milliseconds; a slower one is read again in a separate lane with `LONG_LIMIT_MS`. */
const SHORT_LIMIT_MS = 10_000;
const LONG_LIMIT_MS = 60_000;
const MEMORY_MB = 512;
const MEMORY_CHECK_INTERVAL_MS = 100;

const shortLane = createConcurrencyLane(2, 1_000);
const longLane = createConcurrencyLane(1, 8);

/** Time limits for reading a document, at first and in the slow lane. */
export interface ReadLimits {
  readonly shortMs: number;
  readonly longMs: number;
}

/** Reads a file in a thread that is terminated on timeout, excess memory or abort. A file that is too slow, or finds the lane full, is read again in a lane for slow ones. */
export async function readFile(
  file: SourceFile,
  signal: AbortSignal,
  { shortMs, longMs }: ReadLimits = { shortMs: SHORT_LIMIT_MS, longMs: LONG_LIMIT_MS },
): Promise<ReadOutcome> {
  const late = () => knowledgeTexts.error("bad_request", "late");
  const first = await shortLane.run(signal, late, () => readInWorker(file, signal, shortMs)).catch(ignoreLate);
  return first ?? longLane.run(signal, late, () => readInWorker(file, signal, longMs));
}

/** Reads the text of a document, its parts separated by empty lines. */
export async function readText(file: SourceFile, signal: AbortSignal): Promise<string> {
  const { texts } = await readFile(file, signal);
  return texts.map(({ text }) => text).join("\n\n");
}

function ignoreLate(error: unknown): undefined {
  if (AppError.is(error) && error.detail?.key === LATE_KEY) return undefined;
  throw error;
}

const LATE_KEY = "knowledge.late";

async function readInWorker(file: SourceFile, signal: AbortSignal, limitMs: number): Promise<ReadOutcome> {
  signal.throwIfAborted();
  const name = import.meta.url.endsWith(".ts") ? "./reader-worker.ts" : "./reader-worker.js";
  const worker = new Worker(new URL(name, import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    // The output of libraries is kept out of the log.
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadOutcome>();
  const late = setTimeout(() => reject(knowledgeTexts.error("bad_request", "late")), limitMs);
  const watch = watchMemory(worker, () => reject(knowledgeTexts.error("bad_request", "memory")));
  const onAbort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  worker.on("message", (answer: ReaderReply) => {
    if ("outcome" in answer) resolve(answer.outcome);
    else reject(toAppError(answer.failure));
  });
  worker.on("error", (cause) => reject(knowledgeTexts.error("bad_request", "memory", {}, { cause })));
  worker.on("exit", () => reject(knowledgeTexts.error("bad_request", "unreadable")));
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    clearInterval(watch);
    signal.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
}

/** Watches the memory of a worker, including unpacked data, to which a thread's heap limit does not apply. */
function watchMemory(worker: Worker, exceeded: () => void): NodeJS.Timeout {
  return setInterval(async () => {
    const used = await worker.getHeapStatistics().catch(() => undefined);
    if (used && used.total_heap_size + used.external_memory > MEMORY_MB * 1024 * 1024) exceeded();
  }, MEMORY_CHECK_INTERVAL_MS);
}

function toAppError({ code, error, detail }: LocalizedError): AppError {
  return new AppError(code as ErrorCode, error, detail && { detail });
}
