import { AppError } from "@parley/core";
import { type HostOptions, StartError, startHost } from "@parley/host";
import { print } from "./print.ts";
import { createServiceEnd } from "./service-end.ts";
import { takeStandardIo } from "./standard-io.ts";
import { collectStartGarbage } from "./start-garbage.ts";

/** Delay of the collection after the start, so that first requests are answered first. */
const COLLECT_AFTER_MS = 2_000;

/** Runs the service until it is stopped; then ends the process. Resolves only when it could not start. */
export async function runService(options: HostOptions): Promise<void> {
  if (options.flags?.mcpOnly && (await joinRunning(options))) return waitForever();
  const end = createServiceEnd();
  process.on("disconnect", () => end.stop("the program that started this one is gone"));
  // Listening must not keep a failed start alive.
  process.channel?.unref();
  let isStdioInUse = false;
  const host = await startHost({
    ...options,
    takeStandardIo(isOnly) {
      const streams = takeStandardIo(isOnly);
      isStdioInUse = streams !== undefined;
      return streams;
    },
    onCrash: () => end.fail("a fault", 1),
    onStop: (reason, exitCode) => (exitCode === 0 ? end.stop(reason) : end.fail(reason, exitCode)),
    // A client on standard input and output would not notice the new process.
    createRestart: () => (isStdioInUse ? undefined : end.createRestart()),
  }).catch(printExpectedError);
  if (!host) return;
  end.begin(host);
  print(`data is kept in ${host.data}`);
  print(`ready ${host.address || "mcp"}`);
  setTimeout(collectStartGarbage, COLLECT_AFTER_MS).unref();
  await waitForever();
}

/** Loaded on demand, because it loads the modules of the tools, which a service does not need. */
async function joinRunning(options: HostOptions): Promise<boolean> {
  const { joinService } = await import("./join-service.ts");
  return joinService(options);
}

const waitForever = () => new Promise<void>(() => {});

/** Ends a command after an expected failure: prints the remedy on stderr and sets exit code 1. */
export function printExpectedError(error: unknown): undefined {
  // System errors, such as of a write, already include their place and reason.
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
