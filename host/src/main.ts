#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8
import { writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { AppError } from "@parley/core";
import { Command, InvalidArgumentError } from "commander";
import { checkConfiguration, describeConfiguration } from "./check-configuration.ts";
import type { Flags } from "./configuration.ts";
import { type Host, startHost } from "./host.ts";
import { enablePlugin } from "./plugin-changes.ts";
import { takeStandardIo } from "./standard-io.ts";
import { StartError } from "./start-error.ts";
import { collectStartGarbage } from "./start-garbage.ts";

/** How long a stop after a fault may take: requests are drained and plugins released, each within its own limit. */
const CRASH_WITHIN_MS = 20_000;

/** What is asked right after the start is answered first. */
const COLLECT_AFTER_MS = 2_000;

// Nobody else on this machine reads what is written here.
process.umask(0o077);
// Whoever reads along may leave, and a disk that lines go to may be full: the service goes on.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
// V8 lets garbage pile up by the size of the machine; here it is collected when it is half of what is in use.
setFlagsFromString("--heap-growing-percent=50");
// The first line says it of the main thread, where it is read only before the start; here it is for the other threads.
setFlagsFromString("--max-semi-space-size=8");

const program = new Command("parley")
  .description("A chat-bot backend: starts the service and its web console.")
  .option("--config <file>", "the configuration file (default: config.ini in this folder)")
  .option("--data-dir <folder>", "where everything is kept (default: data)")
  .option("--host <address>", "the address to listen on (default: 127.0.0.1)")
  .option("--port <number>", "the port to listen on, 0 for a free one (default: 5000)", portOf)
  .option("--mcp", "also serve MCP clients")
  .option("--mcp-only", "serve one MCP client on standard input and output, and nothing else")
  .option("--mcp-connect <url>", "connect to a remote MCP server")
  .addHelpText("after", "\nA plugin that was switched off in the console comes back with: parley plugins --enable <id>")
  .showHelpAfterError();

program.command("start", { isDefault: true }).description("start the service").action(start);
program.command("check").description("check the configuration and the plugins without starting").action(check);
program
  .command("plugins")
  .description("list the plugins, where they come from and what they add")
  .option("--enable <id>", "switch on a plugin that was switched off in the console; restart afterwards")
  .action(list);
program
  .command("openapi")
  .description("write the OpenAPI document of the REST interface, without starting anything")
  .option("--out <file>", "where to (default: standard output)")
  .action(openapi);
program
  .command("dashboards")
  .description("write a dashboard for Grafana and alert rules for Prometheus, without starting anything")
  .argument("<folder>", "where to")
  .action(dashboards);
program
  .command("replay")
  .description("run a recorded turn again, offline, and show what comes out differently (exit code 1)")
  .argument("<trace_id>", "the id of its trace, as logs and the console show it")
  .option("--test [folder]", "write it as a vitest file that fails when the outcome changes")
  .action(replay);
program
  .command("backup")
  .description("copy the data folder, also while the service runs")
  .option("--to <folder>", "the folder that backups are in (default: backups in the data folder)")
  .option("--keep <number>", "how many stay there; older ones are removed (default: all)", countOf)
  .action(backup);
program
  .command("restore")
  .description("make a data folder of a backup; one that has something in it is never touched")
  .argument("<backup>", "the folder that `parley backup` named")
  .option("--dry-run", "check everything and write nothing")
  .action(restore);
program
  .command("doctor")
  .description(
    "look at the configuration, the data folder and the service, and say what is wrong (exit code 1) and what to do",
  )
  .option("--json", "for programs")
  .action(doctor);
await program.parseAsync();

async function start(): Promise<void> {
  const started = Promise.withResolvers<void>();
  let stoppedAt: number | undefined;
  const stop = async (reason: string, code = 0) => {
    await started.promise;
    if (stoppedAt !== undefined || !host) return;
    stoppedAt = performance.now();
    host.log.info(`${reason}: stopping`);
    await host.drain();
    await host[Symbol.asyncDispose]();
    process.exit(code);
  };
  // A signal to a whole group comes twice: from its sender, and passed on by the program that started this one.
  const isSecond = () => stoppedAt !== undefined && performance.now() - stoppedAt > 1_000;
  process.on("disconnect", () => void stop("the program that started this one is gone"));
  // A supervisor sees code 1 and starts it again. What cannot stop in order any more, or has not begun, ends at once.
  const crash = () => {
    if (!host) process.exit(1);
    setTimeout(() => process.exit(1), CRASH_WITHIN_MS).unref();
    void stop("a fault", 1);
  };
  let host: Host | undefined;
  host = await startHost({
    flags: program.opts<Flags>(),
    takeStandardIo,
    onCrash: crash,
    onStop: (reason) => void stop(reason),
  }).catch(explain);
  if (!host) return;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => (isSecond() ? process.exit(130) : void stop(signal)));
  }
  process.on("SIGHUP", () => void stop("SIGHUP"));
  print(`data is kept in ${host.data}`);
  print(`ready ${host.address || "mcp"}`);
  started.resolve();
  setTimeout(collectStartGarbage, COLLECT_AFTER_MS).unref();
}

async function check(): Promise<void> {
  const { problems, warnings } = await checkConfiguration({ flags: program.opts<Flags>() });
  for (const warning of warnings) print(`note: ${warning}`);
  for (const problem of problems) print(`problem: ${problem}`);
  print(problems.length === 0 ? "everything fits together" : `${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

async function list({ enable }: { readonly enable?: string }): Promise<void> {
  if (enable !== undefined) await enablePlugin({ flags: program.opts<Flags>() }, enable).catch(explain);
  const { plugins } = await checkConfiguration({ flags: program.opts<Flags>() });
  for (const { id, package: name, version, path, state, failure, adds } of plugins) {
    print(`${id}  ${name} ${version}  ${failure ? `failed: ${failure}` : state === "disabled" ? "off" : "fits"}`);
    if (path) print(`    from ${path}`);
    if (adds.length > 0) print(`    adds ${adds.join(", ")}`);
  }
}

async function openapi({ out }: { readonly out?: string }): Promise<void> {
  const described = await describeConfiguration({ flags: program.opts<Flags>() }).catch(explain);
  if (!described) return;
  for (const warning of described.warnings) process.stderr.write(`note: ${warning}\n`);
  const text = `${JSON.stringify(described.document, undefined, 2)}\n`;
  if (out === undefined) process.stdout.write(text);
  else writeFileSync(out, text, { mode: 0o644 });
}

// Loaded when it is asked for: a start needs none of it.
async function replay(traceId: string, { test }: { readonly test?: string | true }): Promise<void> {
  const { runReplay } = await import("./replay-command.ts");
  process.exitCode = await runReplay({ traceId, flags: program.opts<Flags>(), test, print });
}

async function dashboards(folder: string): Promise<void> {
  const { runDashboards } = await import("./dashboards/dashboards-command.ts");
  await runDashboards({ flags: program.opts<Flags>(), folder, print }).catch(explain);
}

async function backup({ to, keep }: { readonly to?: string; readonly keep?: number }): Promise<void> {
  const { runBackup } = await import("./backup/backup-command.ts");
  await runBackup({ flags: program.opts<Flags>(), to, keep, print }).catch(explain);
}

async function restore(from: string, { dryRun = false }: { readonly dryRun?: boolean }): Promise<void> {
  const { runRestore } = await import("./backup/backup-command.ts");
  await runRestore({ flags: program.opts<Flags>(), from, isTrial: dryRun, print }).catch(explain);
}

async function doctor({ json = false }: { readonly json?: boolean }): Promise<void> {
  const { runDoctor } = await import("./doctor/doctor-command.ts");
  process.exitCode = await runDoctor({ flags: program.opts<Flags>(), isJson: json, print });
}

function explain(error: unknown): undefined {
  if (AppError.is(error)) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return undefined;
  }
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`Parley cannot start:\n${error.problems.map((problem) => `  - ${problem}\n`).join("")}`);
  process.exitCode = 1;
}

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("not a number above 0");
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new InvalidArgumentError("not a port");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
