// Builds the search tables of a long list of keywords in a worker thread.
import { parentPort, workerData } from "node:worker_threads";
import { buildTables } from "@parley/core/text-match";

const tables = buildTables(workerData as readonly string[]);
const buffers = Object.values(tables).map(({ buffer }) => buffer as ArrayBuffer);
parentPort?.postMessage(tables, buffers);
