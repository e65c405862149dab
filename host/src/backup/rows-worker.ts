import { parentPort, workerData } from "node:worker_threads";
import { AppError, type ItemFailure, type ToldFailure, toldFailure } from "@parley/core";
import type { Configuration } from "../configuration.ts";
import { rowsAsFiles } from "./rows-as-files.ts";

/** What the thread is to do, and what it says when it has. */
export interface RowsTask {
  readonly configuration: Configuration;
  readonly into: string;
}
export type RowsAnswer = { readonly left: readonly ItemFailure[] } | { readonly failure: ToldFailure };

const { configuration, into } = workerData as RowsTask;
const answer: RowsAnswer = await rowsAsFiles(configuration, into).then(
  (left) => ({ left }),
  (error: Error) => ({ failure: AppError.is(error) ? toldFailure(error) : { code: "internal", error: error.message } }),
);
parentPort?.postMessage(answer);
