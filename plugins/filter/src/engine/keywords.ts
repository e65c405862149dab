import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type AutomatonTables, buildTables, createKeywords, foldText, type Keywords } from "@parley/core/text-match";

/** Number of patterns up to which searching for each one in turn is as fast, and needs no memory. */
const MAX_LINEAR_PATTERNS = 12;
/** Number of patterns from which the tables are built in a worker, since that would block the event loop. */
const MIN_WORKER_PATTERNS = 5_000;

/** Prepares the search for keywords; long lists in a worker thread. */
export async function prepareKeywords(patterns: readonly string[]): Promise<Keywords> {
  const folded = patterns.map(foldText);
  return createKeywords(
    patterns,
    folded,
    patterns.length <= MAX_LINEAR_PATTERNS ? undefined : await buildTablesInWorker(folded),
  );
}

async function buildTablesInWorker(folded: readonly string[]): Promise<AutomatonTables> {
  if (folded.length < MIN_WORKER_PATTERNS) return buildTables(folded);
  const name = import.meta.url.endsWith(".ts") ? "./automaton-worker.ts" : "./automaton-worker.js";
  const worker = new Worker(new URL(name, import.meta.url), { workerData: folded });
  const [tables] = (await once(worker, "message")) as [AutomatonTables];
  return tables;
}
