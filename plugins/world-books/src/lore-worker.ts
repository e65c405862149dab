// Runs in a thread of its own, for the keywords of all books.
import { parentPort, workerData } from "node:worker_threads";
import { buffersOf, buildLoreTables, type Wanted } from "./lore-tables.ts";

const tables = buildLoreTables(workerData as readonly Wanted[]);
parentPort?.postMessage(tables, buffersOf(tables));
