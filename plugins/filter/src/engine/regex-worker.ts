// Runs the rules' regular expressions in a worker thread, each for a limited time.
import { Script } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import type { RegexFinding, RegexReplacement } from "@parley/core";
import { compileRegex, type Range } from "@parley/core/text-match";
import { toWholeCharacters } from "./ranges.ts";
import { replaceAll } from "./replace-all.ts";

/** A text in which patterns are searched, or to which one replacement is applied. */
export type RegexJob =
  | { readonly text: string; readonly patterns: readonly string[] }
  | { readonly text: string; readonly replacement: RegexReplacement };

export interface RegexWorkerData {
  readonly limitMs: number;
  /** Index of the pattern in progress, which the main thread reads. */
  readonly progress: SharedArrayBuffer;
}

/** Maximum number of compiled patterns, which is that of rules, so that each is compiled once. */
const MAX_COMPILED = 2_000;

/** Maximum additional wait on a busy machine; shorter than the time after which a thread counts as stuck. */
const MAX_EXTRA_WAIT_MS = 500;

const { limitMs, progress } = workerData as RegexWorkerData;
const current = new Int32Array(progress);
const compiled = new Map<string, RegExp>();
const limited = new Script("parleyRegexWork()");
const globalScope = globalThis as unknown as { parleyRegexWork: () => void };

parentPort?.on("message", (job: RegexJob) => parentPort?.postMessage(runJob(job)));

function runJob(job: RegexJob): readonly unknown[] {
  const { text } = job;
  if ("replacement" in job) return runLimited(1, () => replaceAll(job.replacement, text));
  return runLimited(job.patterns.length, (at) => findOne(job.patterns[at] as string, text));
}

/** Runs a number of tasks, each for a limited time; one that takes longer results in `timeout`. */
function runLimited<Result>(count: number, runTask: (at: number) => Result): readonly (Result | "timeout")[] {
  const findings: (Result | "timeout")[] = [];
  /** CPU time at the start of the pattern in progress, and what it used in attempts that were interrupted. */
  let beganCpuMs = 0;
  let usedCpuMs = 0;
  let waitMs = limitMs;
  const finish = (finding: Result | "timeout") => {
    usedCpuMs = 0;
    beganCpuMs = readCpuMs();
    findings.push(finding);
  };
  globalScope.parleyRegexWork = () => {
    while (findings.length < count) {
      Atomics.store(current, 0, findings.length);
      finish(runTask(findings.length));
    }
  };
  while (findings.length < count) {
    beganCpuMs = readCpuMs();
    try {
      limited.runInThisContext({ timeout: waitMs });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      // The limit applies to each pattern, and to its CPU time: one that was interrupted because others took long, or because
      // the machine is busy, is tried again, with more time for a busy machine.
      usedCpuMs += readCpuMs() - beganCpuMs;
      if (usedCpuMs >= limitMs * 0.9) finish("timeout");
      else waitMs = Math.min(waitMs * 2, limitMs + MAX_EXTRA_WAIT_MS);
    }
  }
  return findings;
}

/** Returns the CPU time of this thread in milliseconds. */
function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
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
