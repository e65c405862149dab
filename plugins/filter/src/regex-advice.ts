import { Worker } from "node:worker_threads";
import type { ItemFailure, Logger, RegexRunner } from "@parley/core";
import { regexFault, regexOf } from "@parley/core/text-match";
import type { Advice, AdviceRequest } from "./advice-worker.ts";
import { filterFailure } from "./said-failures.ts";
import { filterWarning } from "./said-warnings.ts";

const ANALYSIS_MS = 1_000;
const GIVE_UP_MS = 4_000;
const MAX_ATTACK = 4_000;
const REPEATS = 64;
/** The library would start another process for the same work. */
const WITHIN_THIS_PROCESS = { RECHECK_SYNC_BACKEND: "pure" };

/** Judges patterns before they are stored. */
export interface RegexAdvice {
  /** Throws `bad_request` with the parser's message for a pattern that is not one. */
  check(pattern: string): void;
  /** With an example text when there are texts on which the pattern takes for ever; undefined when none is known. */
  warning(pattern: string): Promise<ItemFailure | undefined>;
}

export function createRegexAdvice(runner: RegexRunner, log: Logger): RegexAdvice {
  return {
    check: checkRegex,
    async warning(pattern) {
      const { source } = regexOf(pattern);
      const advice = await analysis(source, log);
      const attack = advice.attack?.slice(0, MAX_ATTACK);
      if (advice.isExponential && attack !== undefined) return sentence(attack);
      for (const text of [...(attack === undefined ? [] : [attack]), ...probes(source)]) {
        const [finding] = await runner.find(text, () => [pattern]);
        if (finding === "timeout") return sentence(text);
      }
      return undefined;
    },
  };
}

/** Throws `bad_request` with the parser's message for a pattern that is no regular expression. */
export function checkRegex(pattern: string): void {
  try {
    regexOf(pattern);
  } catch (error) {
    throw filterFailure("bad_request", "no_regex", { problem: regexFault(error) }, { field: "pattern" });
  }
}

/** Long runs of what the pattern itself is made of. */
function probes(source: string): readonly string[] {
  const characters = new Set(["a", "0", " ", ...(source.match(/[\p{L}\p{N}]/gu) ?? [])]);
  return [...characters].slice(0, 20).map((character) => `${character.repeat(REPEATS)}\0`);
}

function sentence(attack: string): ItemFailure {
  const example = JSON.stringify(attack.length > 100 ? `${attack.slice(0, 100)}…` : attack);
  return filterWarning("takes_for_ever", { example, seconds: 0.1 });
}

/** A pattern that cannot be judged in time is not held against anybody. */
async function analysis(source: string, log: Logger): Promise<Advice> {
  const name = import.meta.url.endsWith(".ts") ? "./advice-worker.ts" : "./advice-worker.js";
  const workerData: AdviceRequest = { source, limitMs: ANALYSIS_MS };
  const worker = new Worker(new URL(name, import.meta.url), { workerData, env: WITHIN_THIS_PROCESS });
  const { promise, resolve } = Promise.withResolvers<Advice>();
  const timer = setTimeout(() => resolve({ isExponential: false }), GIVE_UP_MS);
  worker.on("message", resolve);
  worker.on("error", (error) => {
    log.warn("a pattern could not be judged", { error });
    resolve({ isExponential: false });
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
