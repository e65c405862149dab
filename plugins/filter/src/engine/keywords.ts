import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type AutomatonTables, buildTables, createKeywords, foldText, type Keywords } from "@parley/core/text-match";

/** Up to here, looking for one after the other is as fast and needs no memory. */
const MAX_LINEAR_PATTERNS = 12;
/** Pattern count from which building runs in a worker, because it would block the event loop. */
const MIN_WORKER_PATTERNS = 5_000;

/** Prepares keywords; long lists in another thread. */
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
