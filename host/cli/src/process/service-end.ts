import type { Host } from "@parley/host";
import { createExpectedExit } from "./expected-exit.ts";
import { createRestart } from "./restart-process.ts";

/** Timeout of a stop after a crash. Draining requests and releasing plugins have limits of their own within it. */
const CRASH_TIMEOUT_MS = 20_000;
/** Milliseconds in which a second signal counts as the same one, because a process group gets it from the sender and from the starter. */
const SAME_SIGNAL_MS = 1_000;

/** Stops the service once, after its start, and then ends the process. */
export interface ServiceEnd {
  /** Called once the service runs; from then on signals stop it gracefully. */
  begin(host: Host): void;
  stop(reason: string): void;
  /** Stops with a code that a supervisor regards as a failure; a process that has not started ends at once. */
  fail(reason: string, exitCode: number): void;
  /** Returns the function that stops the service and starts it again; undefined when nothing would start it. */
  createRestart(): ((reason: string) => void) | undefined;
}

export function createServiceEnd(): ServiceEnd {
  const exit = createExpectedExit();
  const started = Promise.withResolvers<Host>();
  let isStarted = false;
  /** Set once the service stops. */
  let ending: { readonly isRestart: boolean; readonly end: () => void } | undefined;
  const endNormally = { isRestart: false, end: () => exit(0) };
  const stop = async (reason: string, how: NonNullable<typeof ending> = endNormally) => {
    const host = await started.promise;
    if (ending) return;
    ending = how;
    host.log.info("the service stops", { reason });
    await host.drain();
    await host[Symbol.asyncDispose]();
    ending.end();
  };
  const onSignal = (signal: string) => {
    // A signal during a restart cancels the restart.
    if (ending?.isRestart) ending = endNormally;
    void stop(signal);
  };
  return {
    begin(host) {
      isStarted = true;
      watchSignals(onSignal, exit);
      started.resolve(host);
    },
    stop: (reason) => void stop(reason),
    fail(reason, exitCode) {
      if (!isStarted) exit(exitCode);
      // Ends the process even when a graceful stop fails.
      setTimeout(() => exit(exitCode), CRASH_TIMEOUT_MS).unref();
      void stop(reason, { isRestart: false, end: () => exit(exitCode) });
    },
    createRestart() {
      const restart = createRestart(exit);
      return restart && ((reason) => void stop(reason, { isRestart: true, end: restart }));
    },
  };
}

/** Calls `onSignal` for a signal that ends the service; a repeated one ends the process at once. */
function watchSignals(onSignal: (signal: string) => void, exit: (code: number) => never): void {
  let firstAt: number | undefined;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => {
      const now = performance.now();
      firstAt ??= now;
      if (signal !== "SIGHUP" && now - firstAt > SAME_SIGNAL_MS) exit(130);
      onSignal(signal);
    });
}
