import { Worker } from "node:worker_threads";
import type { ItemFailure, Logger, RegexRunner } from "@parley/core";
import { truncateWithEllipsis } from "@parley/core/channels";
import { compileRegex, describeRegexError } from "@parley/core/text-match";
import { filterTexts } from "../texts.ts";
import type { AnalysisRequest, AnalysisResult } from "./analysis-worker.ts";

const ANALYSIS_MS = 1_000;
const WORKER_TIMEOUT_MS = 4_000;
const MAX_ATTACK_CHARS = 4_000;
const REPEATS = 64;
/** Environment that prevents the library from starting another process. */
const PURE_BACKEND_ENV = { RECHECK_SYNC_BACKEND: "pure" };

/** Checks patterns before they are stored. */
export interface RegexAnalysis {
  /** Throws `bad_request` with the parser's message for an invalid pattern. */
  check(pattern: string): void;
  /** Returns a warning with an example on which the pattern takes exponential time; undefined when none was found. */
  findWarning(pattern: string): Promise<ItemFailure | undefined>;
}

export function createRegexAnalysis(runner: RegexRunner, log: Logger): RegexAnalysis {
  return {
    check: checkRegex,
    async findWarning(pattern) {
      const { source } = compileRegex(pattern);
      const advice = await analyzeInWorker(source, log);
      const attack = advice.attack?.slice(0, MAX_ATTACK_CHARS);
      if (advice.isExponential && attack !== undefined) return createWarning(attack);
      for (const text of [...(attack === undefined ? [] : [attack]), ...createProbeTexts(source)]) {
        const [finding] = await runner.find(text, () => [pattern]);
        if (finding === "timeout") return createWarning(text);
      }
      return undefined;
    },
  };
}

/** Throws `bad_request` with the parser's message for an invalid regular expression. */
export function checkRegex(pattern: string): void {
  try {
    compileRegex(pattern);
  } catch (error) {
    throw filterTexts.error("bad_request", "no_regex", { problem: describeRegexError(error) }, { field: "pattern" });
  }
}

/** Creates long texts that repeat the pattern's own characters. */
function createProbeTexts(source: string): readonly string[] {
  const characters = new Set(["a", "0", " ", ...(source.match(/[\p{L}\p{N}]/gu) ?? [])]);
  return [...characters].slice(0, 20).map((character) => `${character.repeat(REPEATS)}\0`);
}

function createWarning(attack: string): ItemFailure {
  const example = JSON.stringify(truncateWithEllipsis(attack, 100));
  return filterTexts.message("takes_for_ever", { example, seconds: 0.1 });
}

/** Analyses a pattern in a worker. A pattern whose analysis fails or takes too long counts as harmless. */
async function analyzeInWorker(source: string, log: Logger): Promise<AnalysisResult> {
  const name = import.meta.url.endsWith(".ts") ? "./analysis-worker.ts" : "./analysis-worker.js";
  const workerData: AnalysisRequest = { source, limitMs: ANALYSIS_MS };
  const worker = new Worker(new URL(name, import.meta.url), { workerData, env: PURE_BACKEND_ENV });
  const { promise, resolve } = Promise.withResolvers<AnalysisResult>();
  const timer = setTimeout(() => resolve({ isExponential: false }), WORKER_TIMEOUT_MS);
  worker.on("message", resolve);
  worker.on("error", (error) => {
    log.warn("a pattern could not be analysed", { error });
    resolve({ isExponential: false });
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
