import { parentPort, workerData } from "node:worker_threads";
import { AppError } from "@parley/core";
import type { Configuration } from "../configuration.ts";
import { rowsAsFiles } from "./rows-as-files.ts";

/** What the thread is to do, and what it says when it has. */
export interface RowsTask {
  readonly configuration: Configuration;
  readonly into: string;
}
export type RowsAnswer =
  | { readonly left: readonly string[] }
  | { readonly code: AppError["code"]; readonly message: string };

const { configuration, into } = workerData as RowsTask;
const answer: RowsAnswer = await rowsAsFiles(configuration, into).then(
  (left) => ({ left }),
  (error: Error) => ({ code: AppError.is(error) ? error.code : "internal", message: error.message }),
);
parentPort?.postMessage(answer);
