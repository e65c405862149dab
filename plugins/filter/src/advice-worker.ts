// Runs in a thread of its own, for one pattern: looks for a text on which it takes exponential time.
import { parentPort, workerData } from "node:worker_threads";
import { checkSync } from "recheck";

export interface AdviceRequest {
  readonly source: string;
  readonly limitMs: number;
}

export interface Advice {
  readonly isExponential: boolean;
  /** A text that shows it; undefined when none was found. */
  readonly attack?: string;
}

const { source, limitMs } = workerData as AdviceRequest;
const found = checkSync(source, "is", { timeout: limitMs });
const isExponential = found.status === "vulnerable" && found.complexity.type === "exponential";
const advice: Advice = { isExponential, ...(found.status === "vulnerable" && { attack: found.attack.string }) };
parentPort?.postMessage(advice);
