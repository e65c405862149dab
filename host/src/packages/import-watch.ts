import { url as inspectorUrl } from "node:inspector";
import { toErrorMessage } from "../config/configuration.ts";
import { createEventLoopMonitor } from "../diagnostics/event-loop-monitor.ts";
import type { PluginLocation } from "../diagnostics/uncaught-errors.ts";
import { withTimeout } from "../lifecycle/with-timeout.ts";
import { sentence } from "../sentences.ts";

const BEAT_EVERY_MS = 500;
const SECOND_MS = 1_000;
const SLOW_AFTER_S = 5;

/** Reports a third-party import that blocks for 5 s, and ends the process after the timeout. May return undefined. */
export function watchImports(
  locations: readonly PluginLocation[],
  importWithinMs: number,
  onWarning: (line: string) => void,
): Disposable | undefined {
  // There is no third-party code, or a debugger is attached.
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

/** Awaits an import with a timeout; calls `onSlow` after 5 s of waiting. */
export async function importWithTimeout<T>(importing: Promise<T>, ms: number, onSlow: () => void): Promise<T> {
  let seconds = 0;
  // Counts only seconds in which code can run, since a blocking package delays all others.
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
