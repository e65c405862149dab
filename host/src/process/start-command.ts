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
  // Whoever speaks with it over its standard input and output would not notice that it is another one.
  const createRestarter = () => {
    const end = isStdioInUse ? undefined : createRestart();
    return end && ((reason: string) => void stop(reason, end));
  };
  // A signal to a whole group comes twice: from its sender, and passed on by the program that started this one.
  const isRepeatedSignal = () => stoppedAt !== undefined && performance.now() - stoppedAt > 1_000;
  process.on("disconnect", () => void stop("the program that started this one is gone"));
  // To listen for that must not keep alive what could not start.
  process.channel?.unref();
  // A supervisor sees the code and starts it again. What cannot stop in order any more, or has not begun, ends at once.
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

/** The end of a command that failed in a way that was expected: what to do is on stderr, the exit code is 1. */
export function printExpectedError(error: unknown): undefined {
  // What the system refuses, such as to write a file, says itself where and why.
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
