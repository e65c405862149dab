import { url as inspectorUrl } from "node:inspector";
import { reasonOf } from "../configuration.ts";
import type { PluginPlace } from "../faults.ts";
import { createLoopWitness } from "../loop-witness.ts";
import { sentence } from "../sentences.ts";
import { within } from "../starting.ts";

const ANSWER_EVERY_MS = 500;
const SECOND_MS = 1_000;
const SLOW_S = 5;

/**
 * While packages of others are imported: names on stderr the one whose code does not come back, after 5 s, and ends the
 * process with code 1 when it takes longer than it may. Nothing else could: its code runs in the only thread there is. Gives
 * nothing where nothing is to be watched.
 */
export function watchImports(
  places: readonly PluginPlace[],
  importWithinMs: number,
  tell: (line: string) => void,
): Disposable | undefined {
  // Nobody's code, or somebody looks at it step by step.
  if (places.length === 0 || inspectorUrl() !== undefined) return undefined;
  const onError = (error: unknown) => tell(`who does not come back from an import is not watched: ${reasonOf(error)}`);
  const witness = createLoopWitness({ places, importWithinMs, onError });
  const answering = setInterval(() => witness.seen(), ANSWER_EVERY_MS);
  return {
    [Symbol.dispose]() {
      clearInterval(answering);
      witness[Symbol.dispose]();
    },
  };
}

/** What an import gives; it is given up when it waits for too long, and told of when it waits for 5 s. */
export async function importedWithin<T>(importing: Promise<T>, ms: number, tellSlow: () => void): Promise<T> {
  let seconds = 0;
  // Each second that anything can run: who keeps the process busy makes all others late.
  const slow = setInterval(() => {
    seconds += 1;
    if (seconds === SLOW_S) tellSlow();
  }, SECOND_MS);
  try {
    return await within(importing, ms, sentence("import_late", { seconds: ms / 1000 }));
  } finally {
    clearInterval(slow);
  }
}
