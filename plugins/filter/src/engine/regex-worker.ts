// Runs the rules' regular expressions in a worker thread, each for a limited time.
import { Script } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import type { RegexFinding } from "@parley/core";
import { compileRegex, type Range } from "@parley/core/text-match";
import { toWholeCharacters } from "./ranges.ts";

export interface RegexJob {
  readonly text: string;
  readonly patterns: readonly string[];
}

export interface RegexWorkerData {
  readonly limitMs: number;
  /** Index of the pattern in progress, which the main thread reads. */
  readonly progress: SharedArrayBuffer;
}

/** Maximum number of compiled patterns, which is that of rules, so that each is compiled once. */
const MAX_COMPILED = 2_000;

const { limitMs, progress } = workerData as RegexWorkerData;
const current = new Int32Array(progress);
const compiled = new Map<string, RegExp>();
const limited = new Script("parleyRegexWork()");
const globalScope = globalThis as unknown as { parleyRegexWork: () => void };

parentPort?.on("message", (job: RegexJob) => parentPort?.postMessage(findAll(job)));

function findAll({ text, patterns }: RegexJob): readonly RegexFinding[] {
  const findings: RegexFinding[] = [];
  let began = performance.now();
  globalScope.parleyRegexWork = () => {
    while (findings.length < patterns.length) {
      began = performance.now();
      Atomics.store(current, 0, findings.length);
      findings.push(findOne(patterns[findings.length] as string, text));
    }
  };
  while (findings.length < patterns.length) {
    try {
      limited.runInThisContext({ timeout: limitMs });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      // The limit applies to each pattern; one that was interrupted because others took long is tried again.
      if (performance.now() - began >= limitMs * 0.9) findings.push("timeout");
    }
  }
  return findings;
}

function findOne(pattern: string, text: string): RegexFinding {
  const ranges: Range[] = [];
  const regex = compile(pattern);
  regex.lastIndex = 0;
  for (let match = regex.exec(text); match; match = regex.exec(text)) {
    // A match has at least one character (contract filter §4), so an empty match is skipped.
    if (match[0] === "") regex.lastIndex += 1;
    else ranges.push(toWholeCharacters(text, [match.index, match.index + match[0].length]));
  }
  return ranges;
}

function compile(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known) return known;
  const regex = compileRegex(pattern);
  const [oldest] = compiled.keys();
  if (compiled.size >= MAX_COMPILED && oldest !== undefined) compiled.delete(oldest);
  compiled.set(pattern, regex);
  return regex;
}
