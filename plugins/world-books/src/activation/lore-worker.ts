// Runs in a thread of its own, for the keywords of all books.
import { parentPort, workerData } from "node:worker_threads";
import { buildLoreTables, listTransferables, type PackedWords } from "./lore-tables.ts";

const tables = buildLoreTables(workerData as PackedWords);
parentPort?.postMessage(tables, listTransferables(tables));
