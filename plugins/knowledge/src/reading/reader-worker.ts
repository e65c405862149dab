// Runs in a worker thread, for one file, so that hangs and memory end with it.
import { parentPort, workerData } from "node:worker_threads";
import { AppError, type LocalizedError, toLocalizedError } from "@parley/core";
import { knowledgeTexts } from "../texts.ts";
import { type ReadOutcome, readDocument, type SourceFile } from "./read-document.ts";

export type ReaderReply = { readonly outcome: ReadOutcome } | { readonly failure: LocalizedError };

const file = workerData as SourceFile;
try {
  parentPort?.postMessage({ outcome: await readDocument(file) } satisfies ReaderReply);
} catch (error) {
  parentPort?.postMessage({ failure: toLocalizedError(toFailure(error)) } satisfies ReaderReply);
}

function toFailure(error: unknown): AppError {
  if (AppError.is(error) && ["bad_request", "too_large"].includes(error.code)) return error;
  // The engine throws this error for a text that is too long or too deeply nested.
  if (error instanceof RangeError) return knowledgeTexts.error("bad_request", "memory");
  const reason = (error as Error).message.slice(0, 200);
  return knowledgeTexts.error("bad_request", "unreadable_as", { reason });
}
