import { parentPort, workerData } from "node:worker_threads";
import { AppError, type ItemFailure, type LocalizedError, toLocalizedError } from "@parley/core";
import type { Configuration } from "../config/configuration.ts";
import { exportRows } from "./export-rows.ts";

export interface ExportRowsTask {
  readonly configuration: Configuration;
  readonly into: string;
}
export type ExportRowsResult = { readonly missing: readonly ItemFailure[] } | { readonly failure: LocalizedError };

const { configuration, into } = workerData as ExportRowsTask;
const result: ExportRowsResult = await exportRows(configuration, into).then(
  (missing) => ({ missing }),
  (error: Error) => ({
    failure: AppError.is(error) ? toLocalizedError(error) : { code: "internal", error: error.message },
  }),
);
parentPort?.postMessage(result);
