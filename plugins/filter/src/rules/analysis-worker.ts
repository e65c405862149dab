// Analyses one pattern in a worker thread: searches for a text on which it takes exponential time.
import { parentPort, workerData } from "node:worker_threads";
import { checkSync } from "recheck";

export interface AnalysisRequest {
  readonly source: string;
  readonly limitMs: number;
}

export interface AnalysisResult {
  readonly isExponential: boolean;
  /** A text on which the pattern takes exponential time; undefined when none was found. */
  readonly attack?: string;
}

const { source, limitMs } = workerData as AnalysisRequest;
const checkResult = checkSync(source, "is", { timeout: limitMs });
const isExponential = checkResult.status === "vulnerable" && checkResult.complexity.type === "exponential";
const analysisResult: AnalysisResult = {
  isExponential,
  ...(checkResult.status === "vulnerable" && { attack: checkResult.attack.string }),
};
parentPort?.postMessage(analysisResult);
