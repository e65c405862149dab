import { url as inspectorUrl } from "node:inspector";
import { toErrorMessage } from "../config/configuration.ts";
import { createEventLoopMonitor } from "../diagnostics/event-loop-monitor.ts";
import type { PluginLocation } from "../diagnostics/uncaught-errors.ts";
import { withTimeout } from "../lifecycle/start-plugin.ts";
import { sentence } from "../sentences.ts";

const BEAT_EVERY_MS = 500;
const SECOND_MS = 1_000;
const SLOW_AFTER_S = 5;

/**
 * While packages of others are imported: names on stderr the one whose code does not come back, after 5 s, and ends the
 * process with code 1 when it takes longer than it may. Nothing else could: its code runs in the only thread there is. Gives
 * nothing where nothing is to be watched.
 */
export function watchImports(
  locations: readonly PluginLocation[],
  importWithinMs: number,
  onWarning: (line: string) => void,
): Disposable | undefined {
  // Nobody's code, or somebody looks at it step by step.
  if (locations.length === 0 || inspectorUrl() !== undefined) return undefined;
  const onError = (error: unknown) =>
    onWarning(`who does not come back from an import is not watched: ${toErrorMessage(error)}`);
  const monitor = createEventLoopMonitor({ locations, importWithinMs, onError });
  const beatTimer = setInterval(() => monitor.takeBlockedStack(), BEAT_EVERY_MS);
  return {
    [Symbol.dispose]() {
      clearInterval(beatTimer);
      monitor[Symbol.dispose]();
    },
  };
}

/** What an import gives; it is given up when it waits for too long, and told of when it waits for 5 s. */
export async function importWithTimeout<T>(importing: Promise<T>, ms: number, onSlow: () => void): Promise<T> {
  let seconds = 0;
  // Each second that anything can run: who keeps the process busy makes all others late.
  const slow = setInterval(() => {
    seconds += 1;
    if (seconds === SLOW_AFTER_S) onSlow();
  }, SECOND_MS);
  try {
    return await withTimeout(importing, ms, sentence("import_late", { seconds: ms / 1000 }));
  } finally {
    clearInterval(slow);
  }
}
