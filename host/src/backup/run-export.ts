import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { AppError, type ErrorCode, type ItemFailure } from "@parley/core";
import type { Configuration } from "../config/configuration.ts";
import type { ExportRowsResult, ExportRowsTask } from "./export-rows-worker.ts";

/** Runs `exportRows` in a worker thread: the service continues, and the plugins started there briefly do not affect it. */
export async function exportRowsInWorker(configuration: Configuration, into: string): Promise<readonly ItemFailure[]> {
  const name = import.meta.url.endsWith(".ts") ? "./export-rows-worker.ts" : "./export-rows-worker.js";
  const worker = new Worker(new URL(name, import.meta.url), {
    workerData: { configuration, into } satisfies ExportRowsTask,
  });
  try {
    const [answer] = (await once(worker, "message")) as [ExportRowsResult];
    if ("missing" in answer) return answer.missing;
    const { code, error, detail } = answer.failure;
    throw new AppError(code as ErrorCode, error, detail ? { detail } : {});
  } finally {
    await worker.terminate();
  }
}
