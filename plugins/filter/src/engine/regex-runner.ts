import { Worker } from "node:worker_threads";
import type { Logger, RegexFinding, RegexReplacement, RegexRunner } from "@parley/core";
import type { RegexJob, RegexWorkerData } from "./regex-worker.ts";

const WATCH_EVERY_MS = 200;
/** Timeout after which a thread that ignores a pattern's own limit is terminated. */
const STUCK_TIMEOUT_MS = 3_000;
/** Timeout of a thread that has not begun, such as a new one on a busy machine. */
const BEGIN_TIMEOUT_MS = 30_000;
const NOT_BEGUN = -1;
const MEMORY_MB = 256;

export interface RegexRunnerOptions {
  readonly limitMs: number;
  readonly log: Logger;
  /** Starts a thread; tests replace it. */
  readonly spawn?: (data: RegexWorkerData) => Worker;
}

interface Thread {
  readonly worker: Worker;
  readonly current: Int32Array;
}

/** Maximum number of threads. Each is started when it is first needed, and replaced when it does not answer. */
const THREAD_COUNT = 2;

export function createRegexRunner({ limitMs, log, spawn = spawnWorker }: RegexRunnerOptions): RegexRunner {
  const threads: (Thread | undefined)[] = Array.from({ length: THREAD_COUNT });
  const free = threads.map((_, place) => place).reverse();
  const waiting: ((place: number) => void)[] = [];
  let started = 0;

  const getThread = (place: number): Thread => {
    const there = threads[place];
    if (there) return there;
    const progress = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const worker = spawn({ limitMs, progress });
    worker.unref();
    started += 1;
    const thread = { worker, current: new Int32Array(progress) };
    threads[place] = thread;
    return thread;
  };
  const runJob = <Result>({ worker, current }: Thread, job: RegexJob) =>
    new Promise<readonly Result[] | { readonly stuckAt: number }>((resolve) => {
      let seen = NOT_BEGUN;
      let since = performance.now();
      Atomics.store(current, 0, NOT_BEGUN);
      const end = (result: readonly Result[] | { readonly stuckAt: number }) => {
        clearInterval(timer);
        worker.removeListener("message", end);
        worker.removeListener("error", broken);
        worker.removeListener("exit", broken);
        resolve(result);
      };
      const broken = () => end({ stuckAt: Math.max(0, Atomics.load(current, 0)) });
      const timer = setInterval(() => {
        const now = Atomics.load(current, 0);
        if (now !== seen) since = performance.now();
        else if (performance.now() - since > (now === NOT_BEGUN ? BEGIN_TIMEOUT_MS : limitMs + STUCK_TIMEOUT_MS))
          broken();
        seen = now;
      }, WATCH_EVERY_MS);
      worker.on("message", end);
      worker.on("error", broken);
      worker.on("exit", broken);
      worker.postMessage(job);
    });
  const terminate = async (place: number, { worker }: Thread): Promise<void> => {
    log.warn("a thread of the regular expressions had to be replaced");
    threads[place] = undefined;
    await worker.terminate();
  };
  const replaceOne = async (
    place: number,
    text: string,
    replacement: RegexReplacement,
  ): Promise<{ readonly text: string } | "timeout"> => {
    const thread = getThread(place);
    const result = await runJob<{ readonly text: string } | "timeout">(thread, { text, replacement });
    if ("stuckAt" in result) await terminate(place, thread);
    const [replaced = "timeout"] = "stuckAt" in result ? [] : result;
    return replaced;
  };
  const onFreeThread = async <Result>(run: (place: number) => Promise<Result>): Promise<Result> => {
    const place = free.pop() ?? (await new Promise<number>((resolve) => waiting.push(resolve)));
    try {
      return await run(place);
    } finally {
      const next = waiting.shift();
      if (next) next(place);
      else free.push(place);
    }
  };
  const findAll = async (
    place: number,
    text: string,
    patterns: readonly string[],
  ): Promise<readonly RegexFinding[]> => {
    const findings: RegexFinding[] = [];
    while (findings.length < patterns.length) {
      const thread = getThread(place);
      const result = await runJob<RegexFinding>(thread, { text, patterns: patterns.slice(findings.length) });
      if (!("stuckAt" in result)) {
        findings.push(...result);
        continue;
      }
      await terminate(place, thread);
      // The patterns before the one that blocked are tried again; that one is not.
      const before = patterns.slice(findings.length, findings.length + result.stuckAt);
      findings.push(...(before.length > 0 ? await findAll(place, text, before) : []), "timeout");
    }
    return findings;
  };

  return {
    find: (text, patterns) => onFreeThread((place) => findAll(place, text, patterns())),
    replace: (given, replacements, { totalMs = Number.POSITIVE_INFINITY } = {}) =>
      onFreeThread(async (place) => {
        let text = given;
        const timeouts: number[] = [];
        const skipped: number[] = [];
        const beganMs = performance.now();
        for (const [index, replacement] of replacements.entries()) {
          if (performance.now() - beganMs >= totalMs) {
            skipped.push(index);
            continue;
          }
          const replaced = await replaceOne(place, text, replacement);
          if (replaced === "timeout") timeouts.push(index);
          else text = replaced.text;
        }
        return { text, timeouts, skipped, ms: performance.now() - beganMs };
      }),
    threads: () => ({ alive: threads.filter((thread) => thread !== undefined).length, started }),
    async [Symbol.asyncDispose]() {
      await Promise.all(threads.splice(0).map((thread) => thread?.worker.terminate()));
    },
  };
}

function spawnWorker(workerData: RegexWorkerData): Worker {
  const name = import.meta.url.endsWith(".ts") ? "./regex-worker.ts" : "./regex-worker.js";
  return new Worker(new URL(name, import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
}
