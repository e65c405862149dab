import { AppError } from "@parley/core";
import { type Host, startHost } from "../host.ts";
import type { HostOptions } from "../host-options.ts";
import { StartError } from "../start-error.ts";
import { joinService } from "./join-service.ts";
import { print } from "./print.ts";
import { createRestart } from "./restart-process.ts";
import { takeStandardIo } from "./standard-io.ts";
import { collectStartGarbage } from "./start-garbage.ts";

/** Timeout of a stop after a crash: requests are drained and plugins released, each within its own limit. */
const CRASH_TIMEOUT_MS = 20_000;

/** Delay of the collection after the start, so that first requests are answered first. */
const COLLECT_AFTER_MS = 2_000;

/** Runs the service until it is stopped; then ends the process. */
export async function runService(options: HostOptions): Promise<void> {
  if (options.flags?.mcpOnly && (await joinService(options))) return;
  const started = Promise.withResolvers<void>();
  let stoppedAt: number | undefined;
  const stop = async (reason: string, end: () => void = () => process.exit(0)) => {
    await started.promise;
    if (stoppedAt !== undefined || !host) return;
    stoppedAt = performance.now();
    host.log.info(`${reason}: stopping`);
    await host.drain();
    await host[Symbol.asyncDispose]();
    end();
  };
  let isStdioInUse = false;
  // A client on standard input and output would not notice the new process.
  const createRestarter = () => {
    const end = isStdioInUse ? undefined : createRestart();
    return end && ((reason: string) => void stop(reason, end));
  };
  // A signal to a whole group comes twice: from its sender, and passed on by the program that started this one.
  const isRepeatedSignal = () => stoppedAt !== undefined && performance.now() - stoppedAt > 1_000;
  process.on("disconnect", () => void stop("the program that started this one is gone"));
  // Listening must not keep a failed start alive.
  process.channel?.unref();
  // A supervisor sees the code and restarts it. A process that has not started, or cannot stop gracefully, ends at
  // once.
  const fail = (reason: string, exitCode: number) => {
    if (!host) process.exit(exitCode);
    setTimeout(() => process.exit(exitCode), CRASH_TIMEOUT_MS).unref();
    void stop(reason, () => process.exit(exitCode));
  };
  let host: Host | undefined;
  host = await startHost({
    ...options,
    takeStandardIo(isOnly) {
      const streams = takeStandardIo(isOnly);
      isStdioInUse = streams !== undefined;
      return streams;
    },
    onCrash: () => fail("a fault", 1),
    onStop: (reason, exitCode) => (exitCode === 0 ? void stop(reason) : fail(reason, exitCode)),
    restarts: createRestarter,
  }).catch(printExpectedError);
  if (!host) return;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => (isRepeatedSignal() ? process.exit(130) : void stop(signal)));
  }
  process.on("SIGHUP", () => void stop("SIGHUP"));
  print(`data is kept in ${host.data}`);
  print(`ready ${host.address || "mcp"}`);
  started.resolve();
  setTimeout(collectStartGarbage, COLLECT_AFTER_MS).unref();
}

/** Ends a command after an expected failure: prints the remedy on stderr and sets exit code 1. */
export function printExpectedError(error: unknown): undefined {
  // Errors of the system, such as for a write, include their place and reason.
  const isOfSystem = error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";
  if (AppError.is(error) || isOfSystem) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return undefined;
  }
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`Parley cannot start:\n${error.problems.map((problem) => `  - ${problem}\n`).join("")}`);
  process.exitCode = 1;
}
