import { type RegexRunner, RegexRunners, type Resolver } from "@parley/core";

/** Time limit of one script on one text, in milliseconds. */
const LIMIT_MS = 100;

/** Opens the runner of scripts when the first card needs it; `get` returns undefined when no plugin runs expressions. */
export function openRunnerWhenUsed(from: Resolver) {
  let runner: RegexRunner | undefined;
  return {
    get() {
      runner ??= from.find(RegexRunners)?.open({ limitMs: LIMIT_MS });
      return runner;
    },
    [Symbol.asyncDispose]: async () => runner?.[Symbol.asyncDispose](),
  };
}
