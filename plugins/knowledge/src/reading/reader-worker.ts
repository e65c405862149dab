// Runs in a worker thread, for one file, so that hangs and memory end with it.
import { parentPort, workerData } from "node:worker_threads";
import { AppError, type ToldFailure, toldFailure } from "@parley/core";
import { knowledgeFailure } from "../said-failures.ts";
import { type ReadOutcome, readDocument, type SourceFile } from "./read-document.ts";

export type ReaderReply = { readonly outcome: ReadOutcome } | { readonly failure: ToldFailure };

const file = workerData as SourceFile;
try {
  parentPort?.postMessage({ outcome: await readDocument(file) } satisfies ReaderReply);
} catch (error) {
  const isKnown = AppError.is(error) && ["bad_request", "too_large"].includes(error.code);
  const reason = (error as Error).message.slice(0, 200);
  const failure = isKnown ? error : knowledgeFailure("bad_request", "unreadable_as", { reason });
  parentPort?.postMessage({ failure: toldFailure(failure) } satisfies ReaderReply);
}
