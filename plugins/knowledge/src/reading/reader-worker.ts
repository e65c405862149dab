// Runs in a thread of its own, for one file: what hangs or eats memory ends with it.
import { parentPort, workerData } from "node:worker_threads";
import { type GivenFile, type ReadOutcome, readDocument } from "./read-document.ts";

export type ReaderAnswer = { readonly outcome: ReadOutcome } | { readonly code: string; readonly error: string };

const file = workerData as GivenFile;
try {
  parentPort?.postMessage({ outcome: await readDocument(file) } satisfies ReaderAnswer);
} catch (error) {
  const { code = "bad_request", message } = error as { readonly code?: string; readonly message: string };
  const known = ["bad_request", "too_large"].includes(code);
  parentPort?.postMessage({
    code: known ? code : "bad_request",
    error: known ? message : `it cannot be read: ${message.slice(0, 200)}`,
  } satisfies ReaderAnswer);
}
