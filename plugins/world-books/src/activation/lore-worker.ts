// Builds the search tables of all books in a worker thread.
import { parentPort, workerData } from "node:worker_threads";
import { buildLoreTables, listTransferables, type PackedWords } from "./lore-tables.ts";

const tables = buildLoreTables(workerData as PackedWords);
parentPort?.postMessage(tables, listTransferables(tables));
